import { useQuery } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HostUnreachable } from '../../src/bridge/bridge.ts';
import { ServerError } from '../../src/client/errors.ts';
import { createGraphql } from '../../src/client/graphql.ts';
import { createSession } from '../../src/client/session.ts';
import { shell, unreachable } from '../../src/domain/messages.ts';
import { App } from '../../src/ui/app.tsx';
import { QueryResult } from '../../src/ui/kit/query-result.tsx';
import { routes } from '../../src/ui/routes.tsx';
import { withQueries } from '../../src/ui/shell/services/query-client.tsx';
import { ServicesProvider } from '../../src/ui/shell/services/services.ts';
import { sessionToken } from '../client/fake-bridge.ts';
import { fakeServices, json, servicesWith } from './fakes.ts';

/** Pages that are opened while the server is down: they say so in the same words, and come back with it. */

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => void vi.useRealTimers());

const later = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

test.each(routes.map(({ path }) => path))(
  '%s says that the server did not answer, and comes back with it',
  async path => {
    const server: { up: boolean } = { up: false };
    const { services } = fakeServices({ path });
    const answering = <T,>(answer: T) =>
      server.up ? Promise.resolve(answer) : Promise.reject(new HostUnreachable(unreachable.server));
    const bridge = {
      ...services.bridge,
      signIn: () => answering(json({ token: sessionToken('token') })),
      backend: () => answering(json({ data: {} })),
    };
    const session = createSession(bridge);
    const stop = session.start();
    const graphql = createGraphql(bridge, session);
    await act(async () => {
      render(<App services={{ ...services, bridge, session, graphql }} reload={vi.fn()} />);
    });
    expect(await screen.findByText(unreachable.server)).toBeVisible();
    expect(screen.getByText(unreachable.retrying)).toBeVisible();
    expect(screen.getByRole('button', { name: shell.retry })).toBeVisible();
    server.up = true;
    await later(2_000);
    expect(session.get().status).toBe('ok');
    expect(screen.queryByText(unreachable.server)).toBeNull();
    expect(screen.queryByText(unreachable.retrying)).toBeNull();
    stop();
  },
);

/** Shows content whose first reads fail, one failure each. Returns the number of reads so far. */
async function showContent(failures: readonly Error[]): Promise<() => number> {
  let asked = 0;
  const Content = withQueries(() => {
    const query = useQuery({
      queryKey: ['content'],
      queryFn: () => {
        const failure = failures[asked];
        asked += 1;
        return failure ? Promise.reject(failure) : Promise.resolve('Content');
      },
      retry: false,
      meta: { silent: true },
    });
    return <QueryResult of={query}>{value => <p>{value}</p>}</QueryResult>;
  });
  await act(async () => {
    render(
      <ServicesProvider value={servicesWith({})}>
        <Content />
      </ServicesProvider>,
    );
  });
  return () => asked;
}

test('content that the server did not give is there again with the server', async () => {
  const asked = await showContent([
    new HostUnreachable(unreachable.server),
    new ServerError(503, 'No'),
    new ServerError(502, 'No'),
  ]);
  const note = `${unreachable.server} ${unreachable.retrying}`;
  expect(await screen.findByText(note)).toBeVisible();
  await later(4_000);
  expect(screen.getByText(note)).toBeVisible();
  await later(8_000);
  await later(16_000);
  expect(screen.getByText('Content')).toBeVisible();
  expect(asked()).toBe(4);
});

test('content at which the server had an error says so, and is read again', async () => {
  await showContent([new ServerError(500, 'No')]);
  expect(await screen.findByText(`${unreachable.broken} ${unreachable.retrying}`)).toBeVisible();
  await later(4_000);
  expect(screen.getByText('Content')).toBeVisible();
});

test('content that the server refuses is asked for again by the user only', async () => {
  let asked = 0;
  const Content = withQueries(() => {
    const query = useQuery({
      queryKey: ['content'],
      queryFn: () => {
        asked += 1;
        return Promise.reject(new ServerError(403, 'No'));
      },
      meta: { silent: true },
    });
    return <QueryResult of={query}>{() => null}</QueryResult>;
  });
  await act(async () => {
    render(
      <ServicesProvider value={servicesWith({})}>
        <Content />
      </ServicesProvider>,
    );
  });
  expect(await screen.findByRole('button', { name: shell.retry })).toBeVisible();
  expect(screen.queryByText(unreachable.retrying, { exact: false })).toBeNull();
  await later(120_000);
  expect(asked).toBe(1);
});
