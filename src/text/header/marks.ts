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

/** What a mark says, wherever it stands. */
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

/** What makes a mark the same as another, whose name may be written otherwise. */
export const markKey = ({ gate }: Mark): string => (gate === undefined ? CUSTOMERS : BEFORE + normalName(gate));

/** Where the run of marks begins that ends a text, blanks between; the text's end where none does. Positions are the text's. */
export function tailStart(marks: readonly SectionMark[], text: string): number {
  let start = text.length;
  for (const { from, to } of [...marks].reverse()) {
    if (text.slice(to, start).trim() !== '') break;
    start = from;
  }
  return start;
}
