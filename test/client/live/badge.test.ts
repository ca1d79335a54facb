import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { HostContext } from '../../../src/bridge/bridge.ts';
import { keepBadge } from '../../../src/client/live/badge.ts';
import { createStore } from '../../../src/client/store.ts';
import { badgeKey } from '../../../src/domain/badge.ts';
import { edition } from '../../../src/domain/edition.ts';
import { readChecklist } from '../../../src/text/read.ts';
import { fakeBridge, status } from '../fake-bridge.ts';
import { issue } from '../world.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { visibilityState: 'visible' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const QUIET = 3_000;
const shown = (text: string, waiting = 0) => ({ model: readChecklist(text), waiting });

/** A panel of a checklist, and a tracker whose property for the badge the user may write. */
function panel(text: string, { stored = null as unknown, edits = true, surface = 'issue-context' } = {}) {
  const held = { stored };
  const bridge = Object.assign(
    fakeBridge({
      tracker: (path, { method = 'GET', json }) => {
        if (path.endsWith('/mypermissions')) return { permissions: { EDIT_ISSUES: { havePermission: edits } } };
        if (method === 'PUT') held.stored = json;
        else if (method === 'DELETE') held.stored = null;
        else return { properties: held.stored === null ? {} : { [badgeKey('checklist-context')]: held.stored } };
        return status(204);
      },
    }),
    { context: async () => ({ surface, ...issue }) as HostContext },
  );
  const view = createStore<ReturnType<typeof shown> | undefined>(shown(text));
  const stop = keepBadge(bridge, issue, view);
  const sent = () => bridge.calls.map(({ init }) => init.method ?? 'GET');
  const pass = () => vi.advanceTimersByTimeAsync(QUIET);
  return { held, bridge, view, stop, sent, pass };
}

const lozenge = (label: string, type: string) => ({ type: 'lozenge', value: { label, type } });

test('the progress stands under the key that the tracker reads for the context panel', async () => {
  const { held, bridge, pass } = panel('# A\n+ a\n- b\n- c');
  await pass();
  expect(held.stored).toEqual(lozenge('1/3', 'inprogress'));
  const key = `com.atlassian.jira.issue:${edition.key}:checklist-context:status`;
  expect(badgeKey('checklist-context')).toBe(key);
  expect(bridge.calls.at(-1)?.path).toBe(`/rest/api/3/issue/10001/properties/${encodeURIComponent(key)}`);
});

test('it follows changes once they are stored, and goes with the last item', async () => {
  const { held, view, sent, pass } = panel('- a');
  await pass();
  expect(held.stored).toEqual(lozenge('0/1', 'default'));
  view.set(shown('+ a', 1));
  await pass();
  expect(held.stored).toEqual(lozenge('0/1', 'default'));
  view.set(shown('+ a'));
  await pass();
  expect(held.stored).toEqual(lozenge('1/1', 'success'));
  view.set(shown('# A'));
  await pass();
  expect(held.stored).toBeNull();
  expect(sent().filter(method => method !== 'GET')).toEqual(['PUT', 'PUT', 'DELETE']);
});

test('a badge that is right is not written, nor is one where there is nothing', async () => {
  for (const [text, stored] of [
    ['+ a\n- b', { value: { type: 'inprogress', label: '1/2' }, type: 'lozenge' }],
    ['', null],
  ] as const) {
    const { view, sent, pass } = panel(text, { stored });
    await pass();
    view.set(shown(text));
    await pass();
    expect(sent()).toEqual(['GET']);
  }
});

test('many changes are one write, and none follows the end', async () => {
  const { view, stop, sent, pass } = panel('- a\n- b\n- c');
  for (const text of ['+ a\n- b\n- c', '+ a\n+ b\n- c', '+ a\n+ b\n+ c']) view.set(shown(text));
  await pass();
  expect(sent().filter(method => method === 'PUT')).toHaveLength(1);
  stop();
  view.set(shown('- a'));
  await pass();
  expect(sent().filter(method => method === 'PUT')).toHaveLength(1);
});

test.each([
  ['who may not edit the issue', { edits: false }],
  ['in another place than the context panel', { surface: 'issue-content' }],
])('nothing is written for a user %s', async (_, options) => {
  const { held, view, pass, sent } = panel('- a', options);
  await pass();
  const asked = sent().length;
  view.set(shown('+ a'));
  await pass();
  expect(held.stored).toBeNull();
  expect(sent()).toHaveLength(asked);
});

test('Forge has no such property', async () => {
  const bridge = Object.assign(fakeBridge({}), { kind: 'forge' as const });
  keepBadge(bridge, issue, createStore(shown('- a')));
  await vi.advanceTimersByTimeAsync(QUIET);
  expect(bridge.calls).toEqual([]);
});
