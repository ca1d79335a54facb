import { expect, test } from 'vitest';
import { createStore } from '../../../../src/client/store.ts';
import type { ChecklistEdit } from '../../../../src/domain/change.ts';
import { createHistory } from '../../../../src/ui/model/checklist/undo-history.ts';
import type { Step } from '../../../../src/ui/model/checklist/use-actions.ts';

const turn = { kind: 'clearChecklist' } as const satisfies ChecklistEdit;

/** A history of changes that are stored as soon as they are made, unless they are refused. */
function site({ allowed = true }: { allowed?: boolean } = {}) {
  const made = createStore<readonly Step[]>([]);
  let count = 0;
  let refuses = false;
  let told = 0;
  const change = () => {
    count += 1;
    const outcome = refuses
      ? Promise.reject(new Error('no'))
      : Promise.resolve({ base: { epoch: '', seq: 0, text: '' }, conflicts: [], notices: [] });
    outcome.catch(() => undefined);
    return { id: `${count}`, outcome };
  };
  const history = createHistory({ inverse: () => [{ edit: turn }], change }, made, {
    all: () => allowed,
    may: () => allowed,
    onForbidden: () => {
      told += 1;
    },
  });
  history.start();
  return {
    history,
    made: (label: string) => made.set([...made.get(), { label, change: change() }]),
    refuse: (value: boolean) => {
      refuses = value;
    },
    changes: () => count,
    told: () => told,
  };
}

test('what takes a step back and is refused leaves the step to be taken back', async () => {
  const { history, made, refuse } = site();
  made('one');
  refuse(true);
  expect(history.undo()).toBe(true);
  await new Promise(resolve => setTimeout(resolve));
  expect(history.get()).toBeUndefined();
  refuse(false);
  expect(history.redo()).toBe(false);
  expect(history.undo()).toBe(true);
  expect(history.get()).toMatchObject({ step: { label: 'one' }, undone: true });
});

test('a way back that somebody may not go is not offered, and the keys for it say so', () => {
  const { history, made, changes, told } = site({ allowed: false });
  made('one');
  expect(history.get()).toMatchObject({ step: { label: 'one' }, forbidden: true });
  expect(history.undo()).toBe(true);
  expect([changes(), told()]).toEqual([1, 1]);
});
