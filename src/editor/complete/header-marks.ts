import { type CompletionContext, type CompletionResult, startCompletion } from '@codemirror/autocomplete';
import { BEFORE, CUSTOMERS } from '../../../grammar/header-marks.ts';
import { chips, complete as words } from '../../domain/messages.ts';
import { isGateName, markText } from '../../text/header/marks.ts';
import { normalName } from '../../text/status-registry.ts';
import { type Provider, provider } from '../provider.ts';
import { showHint } from './hint.ts';
import { lookup } from './lookup.ts';
import { type Choice, put, replaceTyped } from './option.ts';
import { triggered } from './trigger.ts';

/*
 * The marks of a header, after `!` at a word's start, and the names of the project's statuses, after `!before:`.
 */

const typedMark = /(?<=^[ \t\xa0]*#{1,6}[ \t\xa0](?:.*[ \t\xa0])?)!([a-z]*)$/i;
const typedName = /(?<=^[ \t\xa0]*#{1,6}[ \t\xa0](?:.*[ \t\xa0])?)!before:(\[[^[\]`]*|[^\s[\]!`]*)$/i;

/** The rest of a bracketed name behind the cursor, if the name was there already. */
const restOfName = /^[^[\]`]*\]/;

const marks: readonly Choice[] = [
  {
    label: 'Gate before a status',
    picture: { kind: 'sign', text: BEFORE },
    apply: (view, completion, from, to) => {
      view.dispatch(replaceTyped(completion, { from, to, insert: BEFORE }, from + BEFORE.length));
      startCompletion(view);
    },
  },
  { label: chips.customers, picture: { kind: 'sign', text: CUSTOMERS }, apply: put(CUSTOMERS) },
];

/** Marks of a header, after `!`. */
export function headerMarks(context: CompletionContext): CompletionResult | null {
  const trigger = triggered(context, typedMark);
  if (!trigger) return null;
  const { from, query } = trigger;
  const options = marks.filter(
    ({ picture }) => picture.kind === 'sign' && picture.text.startsWith(`!${query.toLowerCase()}`),
  );
  return options.length === 0 ? null : { from, options, filter: false };
}

/** The names, once they are known. Rejects if they cannot be read. */
const namesOf = (source: Provider, signal: AbortSignal) =>
  new Promise<readonly string[]>((resolve, reject) => {
    const look = () => {
      const names = source.gateNames?.();
      if (names) resolve(names);
      else if (names === null) reject(new Error("We couldn't load the statuses."));
      return names !== undefined;
    };
    if (look()) return;
    const stop = source.subscribe(() => look() && stop());
    signal.addEventListener('abort', stop, { once: true });
  });

const find = lookup<string>({
  ask: async (asked, query, signal) => (await namesOf(asked, signal)).filter(name => matches(name, query)),
  failed: words.gatesFailed,
});

/** Whether some word of a name begins so. */
const matches = (name: string, query: string) =>
  ` ${normalName(name)}`.includes(` ${normalName(query.replace(/^\[/, ''))}`);

const choiceOf = (gate: string): Choice => ({
  label: gate,
  picture: { kind: 'dot', color: 'gray' },
  apply: (view, completion, from, to) => {
    const line = view.state.doc.lineAt(to);
    const inBrackets = view.state.sliceDoc(from, to).includes('[');
    const remainingNameLength = inBrackets ? restOfName.exec(line.text.slice(to - line.from))?.[0].length : 0;
    put(markText({ gate }))(view, completion, from, to + (remainingNameLength ?? 0));
  },
});

/** Statuses of the project, after `!before:`. */
export async function gateNames(context: CompletionContext): Promise<CompletionResult | null> {
  const trigger = triggered(context, typedName);
  const source = context.state.facet(provider);
  if (!trigger || !source.gateNames) return null;
  const statusNames = await find(source, context, trigger, typedName);
  if (!statusNames || context.aborted) return null;
  const { from, query } = trigger;
  const options = statusNames.filter(isGateName).map(choiceOf);
  showHint(context, from, typedName, options.length > 0 ? undefined : words.noGates(query.replace(/^\[/, '')), true);
  return options.length === 0 ? null : { from, options, filter: false };
}
