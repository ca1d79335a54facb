import { expect, test } from 'vitest';
import { MOST_WAITING } from '../../../src/server/common/mutex.ts';
import { startApp } from '../support/app.ts';
import { newIssue, update } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

onStore(use => {
  test('more long requests at a time than may wait are refused: what to do, and when', async () => {
    const it = await startApp(use().store);
    const account = 'loud';
    const issue = await newIssue(it, undefined, account);
    await issue.edit(update('- a'));
    const token = await it.session(account);
    const ask = () =>
      it.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { authorization: `JWT ${token}` },
        payload: { query: `{ checklistTouches(issueId: "${issue.id}") { index } }` },
      });
    const answers = await Promise.all(Array.from({ length: 4 * MOST_WAITING.account }, ask));
    const refused = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(MOST_WAITING.account);
    expect(refused).not.toEqual([]);
    for (const answer of refused) {
      expect(answer.statusCode).toBe(429);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      expect(answer.json()).toMatchObject({ errors: [{ message: expect.stringContaining('Retry-After') }] });
    }
    expect(await ask()).toMatchObject({ statusCode: 200 });
    expect(it.logged.filter(line => line.includes('"level":50'))).toEqual([]);
    await it.app.close();
  });
});
