import type { Status } from '../domain/statuses.ts';
import type { CheckboxRow } from './types.ts';

/**
 * What stands before an item's text: `  - [ON HOLD] ! `. Two functions of one part are inverse: what `withLabel` adds,
 * `withoutLabel` takes away, to the character; likewise `withFlag` and `withoutFlag`.
 */

const labelPattern = /\[[^[\]]*\]/;
const flagPattern = /(?<=[ \t])!(?=[ \t]|$)/;

/** Takes a part out, and the blanks after it, or before it if it ends the line. */
function without(head: string, part: RegExp): string {
  const match = part.exec(head);
  if (!match) return head;
  const before = head.slice(0, match.index);
  const after = head.slice(match.index + match[0].length);
  return after === '' ? before.trimEnd() : before + after.replace(/^[ \t]+/, '');
}

const withoutFlag = (head: string) => without(head, flagPattern);

/** `!` goes after the status. */
const withFlag = (head: string) => (/[ \t]$/.test(head) ? `${head}! ` : `${head} !`);

const withLabel = (head: string, name: string) =>
  head.replace(/^([ \t]*[-+])([ \t]*)/, (_, mark: string, blanks: string) =>
    blanks === '' ? `${mark} [${name}]` : `${mark}${blanks}[${name}] `,
  );

const signOf = ({ slug, checked }: Status) =>
  slug === 'in_progress' ? '~' : slug === 'skipped' ? 'x' : checked ? '+' : '-';

const isBuiltIn = ({ slug }: Status) => ['todo', 'in_progress', 'done', 'skipped'].includes(slug);

/** The head of an item, from its own text; an unmarked item's gets the mark. `marked` tells which it was. */
export function headOf(row: CheckboxRow, source: string): { head: string; marked: boolean } {
  const head = source.slice(0, row.content.from);
  const marked = head.trim() !== '';
  return { head: marked ? head : `${head}- `, marked };
}

/** The head with that status as it is written: the status's sign, and the name of a custom one in brackets. */
export function withStatus(head: string, before: Status, status: Status): string {
  const bare = isBuiltIn(before) ? head : without(head, labelPattern);
  const signed = bare.replace(/[-+~x]/, signOf(status));
  return isBuiltIn(status) ? signed : withLabel(signed, status.name);
}

export function withMandatory(head: string, before: boolean, mandatory: boolean): string {
  if (before === mandatory) return head;
  return mandatory ? withFlag(head) : withoutFlag(head);
}
