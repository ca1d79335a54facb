import { MutationObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { MutationRefused, ServerError } from '../../../../src/client/errors.ts';
import { failures, successes } from '../../../../src/domain/messages.ts';
import { createQueryClient } from '../../../../src/ui/shell/services/query-client.ts';

function setUp() {
  const told: string[] = [];
  return { told, queries: createQueryClient((message, type = 'success') => told.push(`${type}: ${message}`)) };
}

const fails = (error: Error) => () => Promise.reject(error);
const meta = { success: successes.updateChecklist, failure: failures.updateChecklist };

test('a mutation tells its success', async () => {
  const { told, queries } = setUp();
  await new MutationObserver(queries, { mutationFn: () => Promise.resolve(1), meta }).mutate();
  expect(told).toEqual(['success: Checklist has been updated successfully.']);
});

test('a request that fails tells the message of its operation', async () => {
  const { told, queries } = setUp();
  const mutationFn = fails(new ServerError(500, 'Internal Server Error'));
  await new MutationObserver(queries, { mutationFn, meta }).mutate().catch(() => undefined);
  expect(told).toEqual(['error: Could not update checklist.']);
});

test('a refusal is told in its own words', async () => {
  const { told, queries } = setUp();
  const mutationFn = fails(new MutationRefused('FORBIDDEN', undefined, 'You may not do this.'));
  await new MutationObserver(queries, { mutationFn, meta }).mutate().catch(() => undefined);
  expect(told).toEqual(['error: You may not do this.']);
});

test('a query that keeps failing says so once, and again after it has worked', async () => {
  const { told, queries } = setUp();
  const fetch = (queryFn: () => Promise<unknown>) =>
    queries.fetchQuery({ queryKey: ['q'], queryFn }).catch(() => undefined);
  const away = fails(new ServerError(400, 'The server is away.'));
  await fetch(away);
  await fetch(away);
  expect(told).toEqual(['error: The server is away.']);
  await fetch(() => Promise.resolve(1));
  await fetch(away);
  expect(told).toHaveLength(2);
});

test('what a screen tells itself is not told twice', async () => {
  const { told, queries } = setUp();
  const queryFn = fails(new ServerError(400, 'The server is away.'));
  await queries.fetchQuery({ queryKey: ['q'], queryFn, meta: { silent: true } }).catch(() => undefined);
  expect(told).toEqual([]);
});
