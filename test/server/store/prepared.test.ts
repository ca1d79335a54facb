import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createEntries } from '../../../src/server/queue/entries.ts';
import { startApp } from '../support/app.ts';
import { add, newIssue, tick } from '../support/checklists.ts';
import { server } from '../support/stores.ts';

test('what each change, each reading and each look for jobs sends is planned once', async () => {
  const opened = await server();
  onTestFinished(() => opened.close());
  const it = await startApp(opened.store);
  onTestFinished(() => it.app.close());
  const issue = await newIssue(it);
  // What is read once and remembered then.
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
