import type { BuiltInSlug } from '../../../domain/statuses.ts';

/*
 * The signs of wiki markup. Its reader and the evidence that a text is in it use them, and so does the export, whose
 * output the reader can read back.
 */

/**
 * Macros whose content is code, and macros whose content is text. Each macro stands in braces before and behind its
 * content.
 */
export const codeMacros = ['code', 'noformat'] as const;
export const textMacros = ['quote', 'panel', 'expand', 'info', 'note', 'tip', 'warning'] as const;

/** The names of macros for a pattern. */
export const alternatives = (names: readonly string[]): string => names.join('|');

/** Signs of effects inside of words, in braces: a pattern. */
export const bracedSigns = String.raw`\{([*_+^~-]|\?\?)\}`;

/** An address as it stands, up to a sign that ends it or that is markup. */
export const wikiAddress = /^https?:\/\/(?:(?!&#\d{1,8}(?:;|$))[^\s|[\]\\{])+(?<!\*)/;

/** Icons that say the status of an item or a cell. */
export const statusIcons: ReadonlyMap<string, BuiltInSlug> = new Map([
  ['(/)', 'done'],
  ['(x)', 'todo'],
]);
