import { expect, test } from 'vitest';
import { createHub, type Heard } from '../../../src/server/live/hub.ts';
import type { Store } from '../../../src/server/store/store.ts';

/** A hub on a database whose listening breaks off and comes back when a test says so. */
async function hubWith(find: (id: string) => Promise<{ epoch: string } | undefined>) {
  let gap = () => {};
  const listen: Store['listen'] = async (_channel, _hear, onGap) => {
    gap = onGap;
    return async () => {};
  };
  const hub = await createHub({ listen }, { find });
  const hear = (id: string, epoch: string) => {
    const heard: Heard[] = [];
    hub.subscribe({ id, epoch }, each => heard.push(each));
    return heard;
  };
  return { gap: () => gap(), hear };
}

test('after a gap whoever uninstalled in it hears no more, the others that they may have missed something', async () => {
  const epochs: Record<string, string> = { here: 'one', again: 'two' };
  const { gap, hear } = await hubWith(async id => (epochs[id] ? { epoch: epochs[id] } : undefined));
  const [here, gone, before, now] = [
    hear('here', 'one'),
    hear('gone', 'one'),
    hear('again', 'one'),
    hear('again', 'two'),
  ];
  gap();
  await expect
    .poll(() => [here, gone, before, now])
    .toEqual([[{ kind: 'gap' }], [{ kind: 'uninstalled' }], [{ kind: 'uninstalled' }], [{ kind: 'gap' }]]);
});

test('where nobody can say whether a tenant is still there, its streams end and are opened again', async () => {
  const { gap, hear } = await hubWith(async () => {
    throw new Error('The database is away.');
  });
  const heard = hear('here', 'one');
  gap();
  await expect.poll(() => heard).toEqual([{ kind: 'uninstalled' }]);
});
