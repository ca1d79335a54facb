import { workflow as say } from '../messages.ts';
import { storageKey } from '../storage.ts';
import { ruleKey } from './data.ts';
import { literal } from './expression.ts';
import type { Decision, RuleKind, RuleOptions, SavedRule } from './options.ts';
import { ruleWords } from './words.ts';

/*
 * Compiles a rule's options to an expression of the tracker. It reads the issue property alone, and never fails: if the
 * tracker fails to evaluate an expression it refuses the transition without a reason. Its variables:
 *
 * - `p`, `r`: the property, and its `RuleData` or anything else that stands there.
 * - `o`: the `OpenItems` by which it decides, if skipped items count as open.
 * - `all`: makes the result of what each condition says, '' for none.
 */

const NOTHING = "''";

/** The day for the user who makes the transition, as in `RuleData.due`. */
const TODAY = "Number(new Date().toCalendarDate().toISOString().slice(0, 10).split('-').join(''))";
const TARGET = "':' + transition.to.name.trim().toLowerCase()";

/** Compiles each condition to an expression, with the variables that the expressions need. */
function conditionsOf(options: RuleOptions): { variables: string[]; said: string[] } {
  const { mandatory, all, sections, percent, statuses, overdue, gates, gone } = options;
  const o = options.skippedDone ? 'r' : 'o';
  const named = (record: string, name: string, otherwise: string) =>
    `${record}?.[${literal(ruleKey(name))}] ?? ${otherwise}`;
  const sectionGone = (name: string) => (gone === 'pass' ? NOTHING : literal(say.sectionGone(name)));
  return {
    variables: [
      ...(percent === null ? [] : [`let enough = typeof ${o}?.percent == 'Number' && ${o}.percent >= ${percent}`]),
      ...(overdue
        ? [`let day = ${TODAY}`, "let late = r?.due?.filter(x => typeof x?.d == 'Number' && x.d < day)"]
        : []),
    ],
    said: [
      ...(mandatory ? [`${o}.mandatory`] : []),
      ...(all ? [`${o}.all`] : []),
      ...sections.map(name => named(`${o}.sections`, name, sectionGone(name))),
      ...(percent === null ? [] : [`enough ? ${NOTHING} : ${literal(say.percentNeeded(percent))}`]),
      ...(percent === null || all ? [] : [`enough ? ${NOTHING} : ${o}.all`]),
      // A status that the property does not name has no items: it may be newer than the property.
      ...statuses.map(name => named('r.statuses', name, NOTHING)),
      ...(overdue ? [`late?.slice(-1)?.[0]?.t ?? ${NOTHING}`] : []),
      ...(gates ? [`${o}.gates?.[${TARGET}] ?? ${NOTHING}`] : []),
    ],
  };
}

/**
 * The expression of a rule. A validator's returns `true`, or what is open as text; a condition's `true` or `false`. `key`
 * is that of the issue property.
 */
export function compileRule(options: RuleOptions, kind: RuleKind, key = storageKey('checklist')): string {
  const { variables, said } = conditionsOf(options);
  const either = (decision: Decision, message: string) => {
    if (decision === 'pass') return 'true';
    return kind === 'validator' ? literal(message) : 'false';
  };
  const none = `x => x == ${NOTHING}`;
  const open = `l.filter(x => x != ${NOTHING}).join('. ')`;
  const result = kind === 'validator' ? `l.every(${none}) ? true : ${open}` : `l.every(${none})`;
  return [
    `let p = issue.properties[${literal(key)}]`,
    'let r = p?.rules',
    ...(options.skippedDone ? [] : ['let o = r?.strict ?? r']),
    ...variables,
    `let all = l => ${result}`,
    `p == null || r?.total == 0 ? ${either(options.without, say.noChecklist)} : ` +
      `typeof r?.total != 'Number' ? ${either(options.unreadable, say.unreadable)} : all([${said.join(', ')}])`,
  ].join('; ');
}

/** The configuration that the tracker keeps of a rule. */
export const savedRule = (options: RuleOptions, kind: RuleKind): SavedRule => ({
  ...options,
  expression: compileRule(options, kind),
  summary: ruleWords(options, kind).join(' '),
});
