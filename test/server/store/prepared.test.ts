import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createEntries } from '../../../src/server/queue/entries.ts';
import { startApp } from '../support/app.ts';
import { add, newIssue, tick } from '../support/checklists.ts';
import { server } from '../support/stores.ts';

test('the statements of changes, reads and job polling are prepared once', async () => {
  const opened = await server();
  onTestFinished(() => opened.close());
  const it = await startApp(opened.store);
  onTestFinished(() => it.app.close());
  const issue = await newIssue(it);
  // Read once and then cached.
  await issue.read();
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());

  await issue.edit(add('- a\n- b'));
  await issue.edit(tick(0, 'a'));
  await issue.read();
  await createEntries(opened.store).claim(['sync'], 1);

  const sent = query.mock.calls.flatMap(([given]) => (typeof given === 'object' ? [given as pg.QueryConfig] : []));
  expect(sent.length).toBeGreaterThan(20);
  const unnamed = sent.filter(({ name, values }) => name === undefined && values && values.length > 0);
  expect(unnamed.map(({ text }) => text)).toEqual([]);
});
