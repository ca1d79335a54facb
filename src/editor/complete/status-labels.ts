import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import type { Status } from '../../domain/statuses.ts';
import { isBuiltIn, signOf } from '../../text/head.ts';
import { isWritable, normalName } from '../../text/status-registry.ts';
import { statuses as registry } from '../checklist.ts';
import { type Choice, replaceTyped } from './option.ts';
import { triggered } from './trigger.ts';

/** A bracket right behind a mark, or behind its `!`, and what there is of a name. */
const typed = /(?<=^[ \t\xa0]*[-+][ \t\xa0]+(?:![ \t\xa0]+)?)\[([^[\]~`]*)$/;

/** The rest of a label behind the cursor, if the label was there already. */
const restOfLabel = /^[^[\]`]*\]/;

/** Whether some word of a name begins so. */
const matches = (name: string, query: string): boolean => ` ${normalName(name)}`.includes(` ${normalName(query)}`);

/** Puts a status in place of what was typed: its name between brackets if it has one there, and its sign as the mark. */
const apply = (status: Status) => (view: EditorView, completion: Completion, from: number, to: number) => {
  const { doc } = view.state;
  const line = doc.lineAt(from);
  const mark = line.from + line.text.search(/\S/);
  const behind = restOfLabel.exec(line.text.slice(to - line.from))?.[0] ?? '';
  const end = to + behind.length;
  const blanks = /^[ \t\xa0]*/.exec(line.text.slice(end - line.from))?.[0].length ?? 0;
  const label = isBuiltIn(status) ? '' : `[${status.name}] `;
  const changes = [
    { from: mark, to: mark + 1, insert: signOf(status) },
    { from, to: end + blanks, insert: label },
  ];
  view.dispatch(replaceTyped(completion, changes, from + label.length));
};

const choiceOf = (status: Status): Choice => ({
  label: status.name,
  picture: { kind: 'dot', color: status.color },
  apply: apply(status),
});

/** Statuses, after a mark and a bracket. Those of the site write their name, all of them the right sign. */
export function statuses(context: CompletionContext): CompletionResult | null {
  const trigger = triggered(context, typed);
  if (!trigger) return null;
  const statusRegistry = context.state.facet(registry);
  const options = statusRegistry.list
    .filter(status => isWritable(statusRegistry, status) && matches(status.name, trigger.query))
    .sort((one, other) => Number(isBuiltIn(one)) - Number(isBuiltIn(other)))
    .map(choiceOf);
  return options.length === 0 ? null : { from: trigger.from, options, filter: false };
}
