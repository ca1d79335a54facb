import { expect, test } from 'vitest';
import { MAX_WAITING } from '../../../../src/server/text-workers/turns.ts';
import { callApi, createToken } from '../../support/api.ts';
import { startApp } from '../../support/app.ts';
import { newIssue, update } from '../../support/checklists.ts';
import { provokes } from '../../support/left-behind.ts';
import { onStore } from '../../support/stores.ts';

const long = 'with many words, '.repeat(6);
const rows = (word: string) => Array.from({ length: 80 }, (_, index) => `- ${word} ${index} ${long}`).join('\n');

onStore(use => {
  test.each([
    ['a text of many rows', { kind: 'updateChecklistFromText', text: rows('other') }],
    ['one row of many', { kind: 'setItemStatus', target: { index: 0, text: `item 0 ${long}`.trim() }, status: 'done' }],
  ])('more dry runs at a time than may wait are refused, as changes are: %s', async (_name, change) => {
    provokes({ answers: [503] });
    const it = await startApp(use().store);
    const issue = await newIssue(it);
    await issue.edit(update(rows('item')));
    const { secret } = await createToken(use().store, it);
    const ask = () =>
      callApi(it, secret, `/issues/${issue.id}/checklist/changes`, {
        body: { change, dryRun: true },
        headers: { 'if-match': '*' },
      });
    const answers = await Promise.all(Array.from({ length: 2 * MAX_WAITING.account }, ask));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(MAX_WAITING.account);
    expect(refused).not.toEqual([]);
    for (const answer of refused) {
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      expect(answer.json()).toMatchObject({ code: 'UNAVAILABLE' });
    }
    expect(await ask()).toMatchObject({ status: 200 });
    expect(it.logged.filter(line => line.includes('"level":50'))).toEqual([]);
    await it.app.close();
  });
});
