import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import { createIssues } from '../../client/issues.ts';
import { createShelf, openStorage } from '../../client/shelf.ts';
import { findIssues } from '../../client/tracker/find-issues.ts';
import { findPeople } from '../../client/tracker/people.ts';
import { edition } from '../../domain/edition.ts';
import { readAs } from '../../domain/shape.ts';
import type { Provider } from '../../editor/index.ts';
import { usersOf } from '../checklist/people.ts';

/** Under which the browser keeps the emoji used last, how many, and the longest name that can be one. */
const RECENT = `${edition.key}.emoji`;
const RECENT_MOST = 30;
const CODE_MOST = 64;
const recentShape = v.array(v.string());

function recentIn(text: string | undefined): string[] {
  try {
    const kept = readAs(recentShape, JSON.parse(text ?? '[]')) ?? [];
    return kept.filter(code => code.length <= CODE_MOST).slice(0, RECENT_MOST);
  } catch {
    return [];
  }
}

/** What an editor asks of the tracker and keeps in the browser, as far as that lets it. */
export function createProvider(bridge: HostBridge, storage = openStorage()): Provider {
  const users = usersOf(bridge);
  const issues = createIssues(bridge);
  const shelf = createShelf(storage);
  let recent = recentIn(shelf.get(RECENT));
  return {
    findPeople: (query, signal) => findPeople(bridge, query, signal),
    findIssues: async (key, signal) => {
      const found = await findIssues(bridge, key, signal);
      issues.learn(found);
      return found;
    },
    person: accountId => {
      const person = users.get().get(accountId);
      if (person === undefined) users.request([accountId]);
      return person;
    },
    issue: key => {
      const issue = issues.get().get(key);
      if (issue === undefined) issues.request(key);
      return issue;
    },
    subscribe: listener => {
      const stops = [users.subscribe(listener), issues.subscribe(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    // Swedish writes days as ISO does.
    today: () => new Date().toLocaleDateString('sv'),
    recentEmoji: () => recent,
    usedEmoji: code => {
      recent = [code, ...recent.filter(other => other !== code)].slice(0, RECENT_MOST);
      shelf.set(RECENT, JSON.stringify(recent));
    },
  };
}
