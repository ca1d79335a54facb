import { openStorage } from '../../client/browser-storage.ts';
import { createIssues } from '../../client/issues.ts';
import { findIssues } from '../../client/tracker/find-issues.ts';
import { findPeople } from '../../client/tracker/people.ts';
import { createUsers } from '../../client/users.ts';
import type { Provider } from '../../editor/index.ts';
import { openRecent } from '../model/recent.ts';
import type { Services } from '../shell/services/services.ts';

/** The emoji remembered. */
const recentEmoji = { most: 30, length: 64 } as const;

/** Data that the editor's completion loads from the tracker and stores in the browser. */
export function createProvider({ bridge, once }: Pick<Services, 'bridge' | 'once'>, storage = openStorage()): Provider {
  const users = once(createUsers);
  const issues = once(createIssues);
  const emoji = openRecent(bridge, 'emoji', recentEmoji, storage);
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
    // The Swedish format is `yyyy-mm-dd`.
    today: () => new Date().toLocaleDateString('sv'),
    recentEmoji: emoji.get,
    usedEmoji: emoji.use,
  };
}
