import type { Sliced } from '../sliced.ts';
import type { Draft } from './blocks.ts';
import { ObjectReader } from './json/object-reader.ts';
import { boardOf, isBoard } from './json/trello.ts';
import { readingText } from './text.ts';

/*
 * Exports of task apps as JSON. Apps name the parts of a list much alike, so one reader goes by the names. Objects that
 * refer to each other, as Trello's cards to their lists, are put together first.
 */

/** Brackets may nest this deep. */
const MAX_BRACKETS = 200;

/** Whether brackets nest no deeper than exports do. Those within strings count as well. */
function isShallow(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > MAX_BRACKETS) return false;
  }
  return true;
}

/** The value of a text that is JSON as a whole. */
export function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text) || !isShallow(text)) return undefined;
  // An object in each line, as programs write them one by one.
  const lines = /^\s*\{.*\}\n\{/.test(text) ? `[${text.trim().split(/\n+/).join(',')}]` : text;
  try {
    return JSON.parse(lines);
  } catch {
    return undefined;
  }
}

/** Whether a text is JSON as a whole and holds objects, or is a list of texts. */
export function isJson(text: string): boolean {
  const value = jsonOf(text);
  const isListOfTexts = Array.isArray(value) && value.length > 1 && value.every(part => typeof part === 'string');
  return isListOfTexts || (value !== undefined && /\{\s*"/.test(text));
}

/** JSON exports of Trello, Google Tasks, Checklist for Jira and other programs; any other text is read as text. */
export function* readingJson(text: string): Sliced<Draft> {
  const value = jsonOf(text);
  if (value === undefined) return yield* readingText(text);
  const reader = new ObjectReader();
  yield* reader.read(isBoard(value) ? boardOf(value) : value, { depth: 1, inItem: false, isWhole: true });
  return reader.draft;
}
