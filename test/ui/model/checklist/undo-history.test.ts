import { expect, test } from 'vitest';
import { createStore } from '../../../../src/client/store.ts';
import type { ChecklistEdit } from '../../../../src/domain/change.ts';
import { refusals } from '../../../../src/domain/messages.ts';
import { createHistory } from '../../../../src/ui/model/checklist/undo-history.ts';
import type { Step } from '../../../../src/ui/model/checklist/use-actions.ts';

const edit = { kind: 'clearChecklist' } as const satisfies ChecklistEdit;

/** A history of changes that are stored at once, unless they are refused. */
function createTestHistory({ allowed = true }: { allowed?: boolean } = {}) {
  const made = createStore<readonly Step[]>([]);
  let count = 0;
  let refuses = false;
  const change = () => {
    count += 1;
    const outcome = refuses
      ? Promise.reject(new Error('no'))
      : Promise.resolve({ base: { epoch: '', seq: 0, text: '' }, conflicts: [], notices: [] });
    outcome.catch(() => undefined);
    return { id: `${count}`, outcome };
  };
  const history = createHistory({ inverse: () => [{ edit }], change }, made, {
    all: () => allowed,
    may: () => allowed,
  });
  history.start();
  return {
    history,
    made: (label: string, more?: Partial<Step>) =>
      made.set([...made.get(), { label, issueId: '1', change: change(), ...more }]),
    refuse: (value: boolean) => {
      refuses = value;
    },
    changes: () => count,
  };
}

test('a refused undo keeps the step in the undo history', async () => {
  const { history, made, refuse } = createTestHistory();
  made('one');
  refuse(true);
  expect(history.undo()).toBe(true);
  await new Promise(resolve => setTimeout(resolve));
  expect(history.get()).toMatchObject({ last: undefined, undo: { label: 'one' } });
  refuse(false);
  expect(history.redo()).toBe(false);
  expect(history.undo()).toBe(true);
  expect(history.get()).toMatchObject({ last: { step: { label: 'one' }, undone: true }, redo: { label: 'one' } });
});

test('a refused step says why, unless its input does', async () => {
  const { history, made, refuse } = createTestHistory();
  refuse(true);
  made('one', { saysFailure: true });
  await new Promise(resolve => setTimeout(resolve));
  expect(history.get()).toMatchObject({ last: undefined, failure: '“one” was not saved. no' });
  made('two');
  await new Promise(resolve => setTimeout(resolve));
  expect(history.get()).toMatchObject({ last: undefined, failure: undefined });
});

test('undo without the permission for it is not offered, and its keys say so in the line', () => {
  const { history, made, changes } = createTestHistory({ allowed: false });
  made('one');
  expect(history.get()).toMatchObject({ last: { step: { label: 'one' } }, undo: undefined });
  expect(history.undo()).toBe(true);
  expect(changes()).toBe(1);
  expect(history.get().failure).toBe(refusals.permission);
});
