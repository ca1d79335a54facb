import { BEFORE, CUSTOMERS, GATE_NAME_MAX } from '../../../grammar/header-marks.ts';
import { normalName } from '../status-registry.ts';
import type { SectionMark } from '../types.ts';

/*
 * The marks of a header as a reader and a writer see them: gates, each with the name of a status of the tracker, and
 * `!customers`.
 */

/** The name in `!before:NAME` or `!before:[NAME]`, its runs of blanks as one. */
export const gateNameOf = (mark: string): string =>
  mark
    .slice(BEFORE.length)
    .replace(/^\[|\]$/g, '')
    .trim()
    .replace(/\s+/g, ' ');

/** The meaning of a mark, without its position. */
export type Mark = Pick<SectionMark, 'gate'>;

/** A mark as it is written: with brackets around a name that is no single word. */
export const markText = ({ gate }: Mark): string =>
  gate === undefined ? CUSTOMERS : BEFORE + (/[\s!]/.test(gate) ? `[${gate}]` : gate);

/** Whether a mark can hold this name. */
export const isGateName = (name: string): boolean =>
  name.trim() !== '' && name.length <= GATE_NAME_MAX && !/[[\]`\r\n\0]|\p{Surrogate}/u.test(name);

/** Each name once, as first written; case and runs of blanks do not matter. */
export function distinctGates(names: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const name of names) if (!first.has(normalName(name))) first.set(normalName(name), name);
  return [...first.values()];
}

/** The key of a mark: marks of the same meaning have the same key, however their names are written. */
export const markKey = ({ gate }: Mark): string => (gate === undefined ? CUSTOMERS : BEFORE + normalName(gate));

/**
 * The start of the run of marks at the end of a text, with only blanks between; the text's end if it does not end with
 * a mark. The marks' positions are relative to the text.
 */
export function tailStart(marks: readonly SectionMark[], text: string): number {
  let start = text.length;
  for (const { from, to } of [...marks].reverse()) {
    if (text.slice(to, start).trim() !== '') break;
    start = from;
  }
  return start;
}
