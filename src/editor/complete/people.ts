import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { complete as words } from '../../domain/messages.ts';
import type { Person } from '../../domain/person.ts';
import { withTimeout } from '../../domain/timing.ts';
import { type Provider, provider } from '../provider.ts';
import { showHint } from './hint.ts';
import { lookup } from './lookup.ts';
import { applyAndRemember, type Choice, put } from './option.ts';
import { triggered } from './trigger.ts';

/** The maximum number of listed people. */
const MAX_PEOPLE = 10;

/** `@` at a word's start, or behind a script without blanks between words, and a name behind it, of two words at most. */
const typed =
  /(?<!(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Hang}])[\p{L}\p{N}_.+@/-])@((?:[\p{L}\p{N}][\p{L}\p{N}\p{M}._'’-]*(?: [\p{L}\p{N}][\p{L}\p{N}\p{M}._'’-]*)?)?)$/u;

/** An account id as the tracker's notation takes it (docs/language.md). */
const writable = /^[A-Za-z0-9:_-]{1,128}$/;

const find = lookup<Person>({
  ask: (asked, query, signal) => asked.findPeople(query, signal),
  failed: words.peopleFailed,
});

const choiceOf = ({ accountId, name, avatar }: Person): Choice => ({
  label: name,
  picture: { kind: 'avatar', address: avatar, name },
  apply: applyAndRemember('people', accountId, put(`[~accountid:${accountId}]`, 'assigned')),
});

/** Names of people who were picked before are waited for this long. */
const NAMES_TIMEOUT_MS = 1_000;

/** People by account id, without people whose names do not load in time. */
async function namedPeople(source: Provider, accountIds: readonly string[]): Promise<Person[]> {
  const readPeople = () => accountIds.map(accountId => source.person(accountId));
  if (readPeople().includes(undefined)) {
    let stop = () => {};
    const allKnown = new Promise<void>(resolve => {
      stop = source.subscribe(() => {
        if (!readPeople().includes(undefined)) resolve();
      });
    });
    // After the timeout the list shows only the names that are known.
    await withTimeout(allKnown, NAMES_TIMEOUT_MS, () => new Error('Timed out')).catch(() => undefined);
    stop();
  }
  return readPeople().filter(person => person != null);
}

const recentIds = (source: Provider) => (source.recent?.('people') ?? []).filter(id => writable.test(id));

/** People who were picked before, after a bare `@`: at once, without a search. */
export async function recentPeople(context: CompletionContext): Promise<CompletionResult | null> {
  const trigger = triggered(context, typed);
  const source = context.state.facet(provider);
  const ids = trigger?.query === '' ? recentIds(source) : [];
  if (!trigger || ids.length === 0) return null;
  let foundPeople: Person[];
  try {
    foundPeople = await namedPeople(source, ids);
  } catch {
    return null;
  }
  if (context.aborted || foundPeople.length === 0) return null;
  return { from: trigger.from, options: foundPeople.map(choiceOf), filter: false };
}

/**
 * People, after `@`, in the order in which the provider has them; those who were picked before come first, after a bare
 * `@` from `recentPeople`.
 */
export async function people(context: CompletionContext): Promise<CompletionResult | null> {
  const trigger = triggered(context, typed);
  if (!trigger) return null;
  const source = context.state.facet(provider);
  const foundPeople = await find(source, context, trigger, typed);
  if (!foundPeople || context.aborted) return null;
  const { from, query } = trigger;
  const recent = recentIds(source);
  const rank = ({ accountId }: Person) => (recent.includes(accountId) ? recent.indexOf(accountId) : recent.length);
  const options = foundPeople
    .filter(({ accountId }) => writable.test(accountId) && (query !== '' || !recent.includes(accountId)))
    .slice(0, MAX_PEOPLE)
    .sort((one, other) => rank(one) - rank(other))
    .map(choiceOf);
  // A second word is prose far more often than a name, and a bare sign is no query yet.
  const quiet = options.length > 0 || query === '' || query.includes(' ');
  showHint(context, from, typed, quiet ? undefined : words.noPeople(query), true);
  return options.length > 0 ? { from, options, filter: false } : null;
}
