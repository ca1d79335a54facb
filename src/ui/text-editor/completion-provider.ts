import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import { openStorage } from '../../client/browser-storage.ts';
import { type Choice, openPreference } from '../../client/choices.ts';
import { createIssues } from '../../client/issues.ts';
import { findIssues } from '../../client/tracker/find-issues.ts';
import { findPeople } from '../../client/tracker/people.ts';
import { createUsers } from '../../client/users.ts';
import type { Provider } from '../../editor/index.ts';
import type { Services } from '../shell/services/services.ts';

/** How many emoji are remembered, and the maximum length of an emoji's name. */
const MAX_RECENT = 30;
const MAX_CODE_LENGTH = 64;
const recentShape = v.array(v.pipe(v.string(), v.maxLength(MAX_CODE_LENGTH)));

/** The user's recent emoji, latest first; not stored while the account is unknown. */
function recentEmoji(bridge: HostBridge, storage: Storage | undefined) {
  let recent: string[] = [];
  let choice: Choice<string[]> | undefined;
  const use = (codes: readonly string[]) => {
    recent = [...new Set(codes)].slice(0, MAX_RECENT);
  };
  openPreference(bridge, 'emoji', recentShape, storage).then(
    opened => {
      choice = opened;
      const early = recent.length > 0;
      use([...recent, ...(choice.read() ?? [])]);
      if (early) choice.keep(recent);
    },
    () => undefined,
  );
  return {
    recentEmoji: () => recent,
    usedEmoji: (code: string) => {
      use([code, ...recent]);
      choice?.keep(recent);
    },
  };
}

/** Data that the editor's completion loads from the tracker and stores in the browser. */
export function createProvider({ bridge, once }: Pick<Services, 'bridge' | 'once'>, storage = openStorage()): Provider {
  const users = once(createUsers);
  const issues = once(createIssues);
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
    ...recentEmoji(bridge, storage),
  };
}
