/** Messages about the issues that get the template of a rule. `count` is `null` if the tracker did not count them. */

interface Matching {
  isEmpty: boolean;
  count: number | null;
}

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

const possible = ({ isEmpty, count }: Matching) =>
  isEmpty
    ? 'No issues can get it now.'
    : count === null
      ? 'Issues that can get it:'
      : `About ${counted(count, 'issue', 'issues')} can get it:`;

const existing = ({ isEmpty, count }: Matching) =>
  isEmpty
    ? 'No issues match now.'
    : count === null
      ? "Issues that match now don't get it:"
      : `About ${counted(count, "issue matches now and doesn't", "issues match now and don't")} get it:`;

export const created = (matching: Matching) =>
  `Only issues created after you save the rule get the template. ${existing(matching)}`;

export function moved(matching: Matching, statuses: readonly string[]): string {
  const status = statuses.length === 0 ? 'the status' : statuses.join(' or ');
  return `An issue gets the template once, when it moves to ${status} after you save the rule. Issues in ${status} now get it only if they leave it and come back. ${possible(matching)}`;
}

export const changed = (matching: Matching, field: string | undefined) =>
  `An issue gets the template once, when ${field ?? 'the field'} changes after you save the rule. ${possible(matching)}`;

export const templateDeleted = 'The template of this rule was deleted. Choose another one.';

export const showAll = 'Show all in the issue list';

export const applied = "Issues that got the template from this rule don't get it again.";
