import type { Decision, RuleKind, RuleOptions } from './options.ts';

/*
 * A rule in words, for its configuration screen.
 */

const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const quoted = (names: readonly string[]) => listed.format(names.map(name => `“${name}”`));

/** The conditions of a rule, each as a clause: "all mandatory items are done". */
export function conditionWords(options: RuleOptions): string[] {
  const { mandatory, all, sections, percent, statuses, overdue, gates } = options;
  return [
    ...(mandatory ? ['all mandatory items are done'] : []),
    ...(all ? ['all items are done'] : []),
    ...(sections.length === 0
      ? []
      : [`all items of the ${sections.length === 1 ? 'section' : 'sections'} ${quoted(sections)} are done`]),
    ...(percent === null ? [] : [`at least ${percent}% of the items are done`]),
    ...(statuses.length === 0
      ? []
      : [`no item has the ${statuses.length === 1 ? 'status' : 'statuses'} ${quoted(statuses)}`]),
    ...(overdue ? ['no open item is overdue'] : []),
    ...(gates ? ['all items of sections with a gate before the target status are done'] : []),
  ];
}

const outcome = (decision: Decision, kind: RuleKind): string => {
  if (decision === 'pass') return 'is allowed';
  return kind === 'validator' ? 'is blocked' : 'is hidden';
};

/** A rule in words: what passes, then each decision on its own. Without conditions, nothing. */
export function ruleWords(options: RuleOptions, kind: RuleKind): string[] {
  const clauses = conditionWords(options);
  if (clauses.length === 0) return [];
  return [
    `The transition is allowed when ${listed.format(clauses)}.`,
    options.skippedDone ? 'Skipped items count as done.' : 'Skipped items count as open.',
    `If the issue has no checklist, the transition ${outcome(options.without, kind)}.`,
    `If the checklist can't be read, the transition ${outcome(options.unreadable, kind)}.`,
    ...(options.sections.length > 0
      ? [`If the checklist has no such section, the transition ${outcome(options.gone, kind)}.`]
      : []),
  ];
}
