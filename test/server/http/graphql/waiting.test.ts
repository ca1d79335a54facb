import { expect, test } from 'vitest';
import { unreachable } from '../../../../src/domain/messages.ts';
import { MAX_WAITING } from '../../../../src/server/text-workers/turns.ts';
import { startApp } from '../../support/app.ts';
import { newIssue, update } from '../../support/checklists.ts';
import { provokes } from '../../support/left-behind.ts';
import { onStore } from '../../support/stores.ts';

onStore(use => {
  test('more long requests at a time than may wait are refused with the time of a retry', async () => {
    provokes({ answers: [503] });
    const it = await startApp(use().store);
    const account = 'loud';
    const issue = await newIssue(it, undefined, account);
    await issue.edit(update(Array.from({ length: 500 }, (_, index) => `- item ${index} of a long list`).join('\n')));
    const token = await it.session(account);
    const ask = () =>
      it.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { authorization: `JWT ${token}` },
        payload: { query: `{ checklistTouches(issueId: "${issue.id}") { index } }` },
      });
    const answers = await Promise.all(Array.from({ length: 4 * MAX_WAITING.account }, ask));
    const refused = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(MAX_WAITING.account);
    expect(refused).not.toEqual([]);
    for (const answer of refused) {
      expect(answer.statusCode).toBe(503);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      expect(answer.json()).toMatchObject({
        errors: [{ message: unreachable.server, extensions: { code: 'UNAVAILABLE' } }],
      });
    }
    expect(await ask()).toMatchObject({ statusCode: 200 });
    expect(it.logged.filter(line => line.includes('"level":50'))).toEqual([]);
    await it.app.close();
  });
});
