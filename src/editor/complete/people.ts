import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { complete as words } from '../../domain/messages.ts';
import type { Person } from '../../domain/person.ts';
import { provider } from '../provider.ts';
import { showHint } from './hint.ts';
import { lookup } from './lookup.ts';
import { type Choice, put } from './option.ts';
import { triggered } from './trigger.ts';

/** Most people of a list. */
const MOST = 10;

/** `@` at a word's start and a name behind it, of two words at most. */
const typed = /(?<![\p{L}\p{N}_.+@/-])@((?:[\p{L}\p{N}][\p{L}\p{N}._'’-]*(?: [\p{L}\p{N}][\p{L}\p{N}._'’-]*)?)?)$/u;

/** An account id as the tracker's notation takes it (language.md §2). */
const writable = /^[A-Za-z0-9:_-]{1,128}$/;

const find = lookup<Person>({
  ask: (asked, query, signal) => asked.findPeople(query, signal),
  failed: words.peopleFailed,
});

const choiceOf = ({ accountId, name, avatar }: Person): Choice => ({
  label: name,
  picture: { kind: 'avatar', address: avatar, name },
  apply: put(`[~accountid:${accountId}]`, 'assigned'),
});

/** People, after `@`. They are in the order in which the provider has them. */
export async function people(context: CompletionContext): Promise<CompletionResult | null> {
  const trigger = triggered(context, typed);
  if (!trigger) return null;
  const found = await find(context.state.facet(provider), context, trigger, typed);
  if (!found || context.aborted) return null;
  const options = found
    .filter(({ accountId }) => writable.test(accountId))
    .slice(0, MOST)
    .map(choiceOf);
  const { from, query } = trigger;
  // A second word is prose far more often than a name, and a bare sign is no query yet.
  const quiet = options.length > 0 || query === '' || query.includes(' ');
  showHint(context, from, typed, quiet ? undefined : words.noPeople(query), true);
  return options.length > 0 ? { from, options, filter: false } : null;
}
