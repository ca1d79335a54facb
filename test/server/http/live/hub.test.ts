import { expect, test, vi } from 'vitest';
import { createHub, type HubEvent } from '../../../../src/server/http/live/hub.ts';
import type { Store } from '../../../../src/server/store/store.ts';

/** A hub on a database whose listening connection can be interrupted. */
async function hubWith(find: (id: string) => Promise<{ epoch: string } | undefined>) {
  let gap = () => {};
  const listen: Store['listen'] = async (_channel, _handler, onGap) => {
    gap = onGap;
    return async () => {};
  };
  const hub = await createHub({ listen }, { find });
  const subscribed = (id: string, epoch: string) => {
    const events: HubEvent[] = [];
    hub.subscribe({ id, epoch }, each => events.push(each));
    return events;
  };
  return { gap: () => gap(), subscribed };
}

test("after a gap, streams of installations that ended receive 'uninstalled', the others 'gap'", async () => {
  const epochs: Record<string, string> = { here: 'one', again: 'two' };
  const { gap, subscribed } = await hubWith(async id => (epochs[id] ? { epoch: epochs[id] } : undefined));
  const [here, gone, before, now] = [
    subscribed('here', 'one'),
    subscribed('gone', 'one'),
    subscribed('again', 'one'),
    subscribed('again', 'two'),
  ];
  gap();
  await expect
    .poll(() => [here, gone, before, now])
    .toEqual([[{ kind: 'gap' }], [{ kind: 'uninstalled' }], [{ kind: 'uninstalled' }], [{ kind: 'gap' }]]);
});

test('when the tenant cannot be read after a gap, its streams end, to be opened again', async () => {
  const { gap, subscribed } = await hubWith(async () => {
    throw new Error('The database is away.');
  });
  const events = subscribed('here', 'one');
  gap();
  await expect.poll(() => events).toEqual([{ kind: 'uninstalled' }]);
});

test('when the tenant is not read soon after a gap, its streams end, to be opened again', async () => {
  vi.useFakeTimers();
  try {
    const { gap, subscribed } = await hubWith(() => new Promise(() => {}));
    const events = subscribed('here', 'one');
    gap();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(events).toEqual([{ kind: 'uninstalled' }]);
  } finally {
    vi.useRealTimers();
  }
});
