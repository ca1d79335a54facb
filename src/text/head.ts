import { builtInStatuses, type Status } from '../domain/statuses.ts';

/*
 * The head of an item, before its text: `  - [ON HOLD] ! `. A head holds blanks, the mark, at most one label and at
 * most one `!`, nothing else. Each function that adds a part has a counterpart that removes it again, to the character.
 */

const labelOrFlag = /\[[^[\]]*\]|!/g;

/** Takes out the label or the flag, with the blanks after it, or with the blanks before it if it ends the line. */
function without(head: string, first: '[' | '!'): string {
  const match = [...head.matchAll(labelOrFlag)].find(([part]) => part.startsWith(first));
  if (!match) return head;
  const before = head.slice(0, match.index);
  const after = head.slice(match.index + match[0].length);
  return after === '' ? before.trimEnd() : before + after.trimStart();
}

export const isBuiltIn = ({ slug }: Status) => builtInStatuses.some(status => status.slug === slug);

/** The sign of a status; a custom one has that of its checked flag, and its name in brackets. */
export function signOf({ slug, checked }: Status): string {
  if (slug === 'in_progress') return '~';
  if (slug === 'skipped') return 'x';
  return checked ? '+' : '-';
}

/** Whether anything stands before the text: an unmarked item has at most blanks there. */
export const isMarked = (head: string): boolean => head.trim() !== '';

/** The head with a mark, `- ` if it had none. */
export const marked = (head: string): string => (isMarked(head) ? head : `${head}- `);

/** The head of an item that has the status `before`, with the sign and label of another. */
export function withStatus(head: string, before: Status, status: Status): string {
  const bare = isBuiltIn(before) ? head : without(head, '[');
  const signed = bare.replace(/[-+~x]/, signOf(status));
  if (isBuiltIn(status)) return signed;
  return signed.replace(/^(\s*[-+])(\s*)/, (_, mark: string, blanks: string) =>
    blanks === '' ? `${mark} [${status.name}]` : `${mark}${blanks}[${status.name}] `,
  );
}

/** The head of an item that is mandatory or not (`before`), with the flag, which goes after the status, or without. */
export function withMandatory(head: string, before: boolean, mandatory: boolean): string {
  if (before === mandatory) return head;
  if (!mandatory) return without(head, '!');
  return /\s$/.test(head) ? `${head}! ` : `${head} !`;
}
