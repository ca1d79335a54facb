import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import { complete as words } from '../../domain/messages.ts';
import { dayInNotationOf, isIsoDay } from '../../text/references.ts';
import { provider } from '../provider.ts';
import { calendar, openCalendar } from './calendar.ts';
import { dayOfWords, type NamedDay, namedDays, writtenDay } from './days.ts';
import { showHint } from './hint.ts';
import { applyAndRemember, type Choice, put } from './option.ts';
import { treeAt, triggered } from './trigger.ts';

/** Two slashes at a word's start, and a phrase. */
const typed = /(?<![^\s(])\/\/((?:[^/\n]|\/(?!\/)){0,40})$/;

/** The first date of the row at a position, as it is written. */
function dateBeside(state: EditorState, position: number): string | undefined {
  const tree = treeAt(state, state.doc.lineAt(position).to);
  let row: SyntaxNode | null = tree.resolveInner(position, 0);
  while (row?.parent && !row.parent.type.isTop) row = row.parent;
  if (!row || row.type.isTop) row = tree.topNode.childBefore(position + 1);
  let rowDate: string | undefined;
  row?.cursor().iterate(node => {
    if (node.name === 'DateRef') rowDate ??= state.sliceDoc(node.from, node.to);
  });
  return rowDate;
}

/** A day in the notation of the row's own date, if it has one. */
function notation(state: EditorState, position: number): (day: string) => string {
  const beside = dateBeside(state, position);
  return day => (beside === undefined ? day : dayInNotationOf(beside, day));
}

/** Whether some word of a name, with the words behind it, begins with the query. */
const matches = (name: string, query: string): boolean => ` ${name.toLowerCase()}`.includes(` ${query}`);

/** The maximum number of days that are offered because they were picked before. */
const MAX_RECENT_DAYS = 3;

/** The days that were picked before and are not over, the latest first. */
const recentDays = (state: EditorState, today: string): NamedDay[] =>
  (state.facet(provider).recent?.('days') ?? [])
    .flatMap(value => {
      const named = namedDays(today).find(({ name, day }) => name === value || day === value);
      return named ?? (isIsoDay(value) && value > today ? { name: writtenDay(value, today), day: value } : []);
    })
    .slice(0, MAX_RECENT_DAYS);

/**
 * Days, after `//`: days picked before, named days, any phrase for a day, and a calendar. The inserted day is always a
 * fixed one.
 */
export async function dates(context: CompletionContext): Promise<CompletionResult | null> {
  const trigger = triggered(context, typed);
  if (!trigger) return null;
  const { state } = context;
  const today = state.facet(provider).today();
  const phrase = trigger.query.trim();
  const inRow = notation(state, trigger.from);
  const choiceOf = (name: string, day: string): Choice => ({
    label: name,
    detail: name === writtenDay(day, today) ? inRow(day) : writtenDay(day, today),
    picture: { kind: 'sign', text: day.slice(8).replace(/^0/, '') },
    apply: applyAndRemember('days', name === writtenDay(day, today) ? day : name, put(inRow(day))),
  });
  const recent = phrase === '' ? recentDays(state, today) : [];
  const named = [...recent, ...namedDays(today)]
    .filter(({ name }, index, all) => all.findIndex(one => one.name === name) === index)
    .filter(({ name }) => matches(name, phrase.toLowerCase()))
    .map(({ name, day }) => choiceOf(name, day));
  const meant = phrase === '' || named.length > 0 ? undefined : await meantBy(phrase, today, context, trigger.from);
  if (context.aborted) return null;
  const options = meant === undefined ? named : [choiceOf(writtenDay(meant, today), meant)];
  const withCalendar = state.facet(calendar) !== undefined && (phrase === '' || options.length > 0);
  if (withCalendar) options.push(calendarChoice(meant ?? today, inRow));
  return options.length > 0 ? { from: trigger.from, options, filter: false } : null;
}

async function meantBy(
  phrase: string,
  today: string,
  context: CompletionContext,
  from: number,
): Promise<string | undefined> {
  try {
    return await dayOfWords(phrase, today);
  } catch {
    showHint(context, from, typed, words.datesFailed, true);
    return undefined;
  }
}

const calendarChoice = (day: string, inRow: (day: string) => string): Choice => ({
  label: words.pickDay,
  picture: { kind: 'sign', text: '…' },
  apply: (view, _completion, from, to) => openCalendar(view, { from, to, day, write: inRow }),
});
