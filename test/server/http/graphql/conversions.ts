import { randomUUID } from 'node:crypto';
import { beforeAll } from 'vitest';
import { appOf, startApp } from '../../support/app.ts';
import { EDITOR, type IssueWork, newIssue, tick } from '../../support/checklists.ts';
import { type MutationAnswer, mutate } from '../../support/mutate.ts';
import type { TestStore } from '../../support/stores.ts';

export const MAKER = [...EDITOR, 'CREATE_ISSUES'];
export const isMaking = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path === '/rest/api/2/issue';

/** Issues whose first item is converted. */
export interface Work extends IssueWork {
  account: string;
  convert(input?: object): Promise<MutationAnswer>;
  /** Number of calls that create an issue from this one. */
  asked(): number;
}

/** An app, and issues whose first item is to become an issue. */
export function withConversions(use: () => TestStore) {
  const it = appOf(beforeAll, () => startApp(use().store));

  async function issueWith(text: string, granted = MAKER): Promise<Work> {
    const account = randomUUID();
    const issue = await newIssue(it, granted, account);
    await issue.store(text);
    await issue.edit(tick(0, text.split('\n')[0]?.slice(2) ?? '', 'todo'));
    const target = { index: 0, text: text.split('\n')[0]?.slice(2) };
    return {
      ...issue,
      account,
      convert: input => mutate(it, account, issue, 'convertItemToIssue', { target, to: 'SUBTASK', ...input }),
      asked: () =>
        it.tracker.calls.filter(call => isMaking(call) && JSON.stringify(call).includes(`"PR-${issue.id}"`)).length,
    };
  }

  const losing = async <T>(work: () => Promise<T>): Promise<T> => {
    it.tracker.lost.push(isMaking);
    try {
      return await work();
    } finally {
      it.tracker.lost.length = 0;
    }
  };
  const rowOf = async (issue: IssueWork) => (await issue.text()).slice(2);
  return { it, issueWith, losing, rowOf };
}
