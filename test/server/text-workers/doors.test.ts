import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAgain, startApp, type TestApp } from '../support/app.ts';
import { type IssueWork, newIssue, update, workOn } from '../support/checklists.ts';
import { provokes } from '../support/left-behind.ts';
import { createTestQueue } from '../support/queue.ts';
import { onStore } from '../support/stores.ts';
import { threadProgram } from '../support/text-workers.ts';
import { traps } from './trapped-entry.ts';

const CHANGE = `mutation ($input: ChangeChecklistInput!) {
  changeChecklist(input: $input) { checklist { seq } errors { code } }
}`;

const rows = (word: string) =>
  Array.from({ length: 400 }, (_, index) => `- ${word} ${index} of a long list`).join('\n');
const ANSWERS = /The task decide was ended/;

onStore(use => {
  let it: TestApp;
  const textWorkers = () => ({ entry: threadProgram('trapped-entry'), timeLimitMs: 3_000, threads: 1 });
  const start = () => startApp(use().store, {}, undefined, undefined, undefined, undefined, undefined, textWorkers());

  beforeAll(async () => {
    it = await start();
  });
  afterAll(() => it.app.close());

  /** Sends a change of the whole text, on the base that the issue has now. */
  async function send(app: TestApp, account: string, issue: IssueWork, text: string, clientId: string = randomUUID()) {
    const { epoch, seq, hash } = await issue.read();
    const input = { issueId: issue.id, clientId, base: { epoch, seq, hash }, change: update(text) };
    return app.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { authorization: `JWT ${await app.session(account)}` },
      payload: { query: CHANGE, variables: { input } },
    });
  }

  test.each([
    ['never ends', traps.endless],
    ['ends its thread', traps.killed],
  ])('a change whose computation %s is answered with 503, and others go on', async (_name, word) => {
    provokes({ errors: ANSWERS, answers: [503] });
    const [issue, other] = [await newIssue(it, undefined, 'ana'), await newIssue(it, undefined, 'ben')];
    await issue.edit(update('- a'));
    const ended = send(it, 'ana', issue, `${rows('item')}\n- ${word}`);
    expect((await send(it, 'ben', other, '- small')).json()).toMatchObject({
      data: { changeChecklist: { errors: [] } },
    });
    const large = await send(it, 'ben', other, rows('large'));
    expect(large.json()).toMatchObject({ data: { changeChecklist: { checklist: { seq: 2 } } } });
    const answer = await ended;
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(answer.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
    expect((await issue.read()).text).toBe('- a');
    expect((await send(it, 'ana', issue, '- b')).statusCode).toBe(200);
    expect((await issue.read()).text).toBe('- b');
  });

  test('of a process that stops with computations, nothing acknowledged is lost, and nothing is made twice', async () => {
    provokes({ errors: ANSWERS, answers: [503] });
    const first = await start();
    const issues = await Promise.all(['ana', 'ben', 'cem'].map(account => newIssue(first, undefined, account)));
    const changes = issues.map((issue, index) => {
      const account = ['ana', 'ben', 'cem'][index] ?? '';
      // All but the first are under way when the process stops, or wait.
      const text = index === 0 ? rows(account) : `${rows(account)}\n- ${traps.endless}`;
      return { issue, account, clientId: randomUUID(), text };
    });
    await send(first, 'ana', changes[0]?.issue ?? expect.unreachable(), '- warm');
    const sent = changes.map(({ issue, account, text, clientId }) => send(first, account, issue, text, clientId));
    await sent[0];
    await sleep(200);
    await first.app.close();
    const answers = await Promise.all(sent);
    expect(answers.map(({ statusCode }) => statusCode)).toContain(503);

    const { store } = use();
    const again = await startAgain(first, { store, send: first.tracker.fetch, background: createTestQueue() });
    for (const [index, { issue, account, text, clientId }] of changes.entries()) {
      const work = await workOn(again, issue.id, account);
      const { text: stored } = await work.read();
      if (answers[index]?.statusCode === 200) expect(stored).toBe(text);
      const { epoch, seq, hash } = await work.read();
      await work.change(update(text), { epoch, seq, hash }, clientId);
      await work.change(update(text), { epoch, seq, hash }, clientId);
      const { entries } = await work.checklists.history(issue.id, { first: 10, filter: {} });
      expect(entries.filter(({ changeCount }) => changeCount > 300)).toHaveLength(1);
      expect((await work.read()).text).toBe(text);
    }
    await again.app.close();
  });
});
