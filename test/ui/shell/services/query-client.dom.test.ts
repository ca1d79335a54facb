import { MutationObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { MutationRefused, ServerError } from '../../../../src/client/errors.ts';
import { failures, successes } from '../../../../src/domain/messages.ts';
import { createQueryClient } from '../../../../src/ui/shell/services/query-client.tsx';

function setUp() {
  const flags: string[] = [];
  return { flags, queries: createQueryClient((message, type = 'success') => flags.push(`${type}: ${message}`)) };
}

const fails = (error: Error) => () => Promise.reject(error);
const meta = { success: successes.updateChecklist, failure: failures.updateChecklist };

test('a successful mutation shows its message', async () => {
  const { flags, queries } = setUp();
  await new MutationObserver(queries, { mutationFn: () => Promise.resolve(1), meta }).mutate();
  expect(flags).toEqual(['success: Checklist has been updated successfully.']);
});

test('a failed request shows the message of its operation', async () => {
  const { flags, queries } = setUp();
  const mutationFn = fails(new ServerError(500, 'Internal Server Error'));
  await new MutationObserver(queries, { mutationFn, meta }).mutate().catch(() => undefined);
  expect(flags).toEqual(['error: Could not update checklist.']);
});

test('a refusal shows its own message', async () => {
  const { flags, queries } = setUp();
  const mutationFn = fails(new MutationRefused('FORBIDDEN', undefined, 'You may not do this.'));
  await new MutationObserver(queries, { mutationFn, meta }).mutate().catch(() => undefined);
  expect(flags).toEqual(['error: You may not do this.']);
});

test('a query that keeps failing shows one message, and another after it has succeeded', async () => {
  const { flags, queries } = setUp();
  const fetch = (queryFn: () => Promise<unknown>) =>
    queries.fetchQuery({ queryKey: ['q'], queryFn }).catch(() => undefined);
  const away = fails(new ServerError(400, 'The server is away.'));
  await fetch(away);
  await fetch(away);
  expect(flags).toEqual(['error: The server is away.']);
  await fetch(() => Promise.resolve(1));
  await fetch(away);
  expect(flags).toHaveLength(2);
});

test('a silent query shows no message', async () => {
  const { flags, queries } = setUp();
  const queryFn = fails(new ServerError(400, 'The server is away.'));
  await queries.fetchQuery({ queryKey: ['q'], queryFn, meta: { silent: true } }).catch(() => undefined);
  expect(flags).toEqual([]);
});
