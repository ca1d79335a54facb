import { describe, expect, test } from 'vitest';
import { type CopyEvent, type CopyState, stateAfter } from '../../../src/server/copies/state.ts';

const MINUTE = 60_000;
const start = new Date('2026-01-01T00:00:00Z');
const at = (minutes: number) => new Date(start.getTime() + minutes * MINUTE);
const refusal = { reason: 'forbidden', tries: 1, retry: at(2) };

const states = {
  settled: { name: 'settled' },
  due: { name: 'due' },
  pending: { name: 'pending', write: 'one', refusal: undefined },
  pendingAgain: { name: 'pending', write: 'one', refusal },
  refused: { name: 'refused', refusal },
} satisfies Record<string, CopyState<string>>;

type Named = keyof typeof states;

describe('a copy in the tracker', () => {
  test.each<[Named, CopyEvent<string>, Named]>([
    ['due', { kind: 'begun', write: 'one' }, 'pending'],
    ['refused', { kind: 'begun', write: 'one' }, 'pendingAgain'],
    ['pending', { kind: 'settled' }, 'settled'],
    ['pendingAgain', { kind: 'settled' }, 'settled'],
    ['pending', { kind: 'undone' }, 'due'],
    ['pendingAgain', { kind: 'undone' }, 'refused'],
    ['pending', { kind: 'refused', reason: 'forbidden', now: start }, 'refused'],
    ['pending', { kind: 'read', found: 'equal' }, 'settled'],
    ['pending', { kind: 'read', found: 'behind' }, 'due'],
    ['pending', { kind: 'read', found: 'kept' }, 'due'],
    ['settled', { kind: 'read', found: 'behind' }, 'due'],
    ['settled', { kind: 'read', found: 'kept' }, 'settled'],
    ['refused', { kind: 'read', found: 'behind' }, 'refused'],
    ['refused', { kind: 'read', found: 'equal' }, 'settled'],
  ])('that is %s, after %j, is %s', (before, event, after) => {
    expect(stateAfter(states[before], event)).toEqual(states[after]);
  });

  test('refused again after each pause waits for longer, and an earlier try makes no pause longer', () => {
    let state: CopyState<string> = states.due;
    const pauses: number[] = [];
    for (let now = 0, tries = 0; tries < 10; tries += 1) {
      state = stateAfter(state, { kind: 'refused', reason: 'forbidden', now: at(now) });
      const { retry } = state.name === 'refused' ? state.refusal : refusal;
      pauses.push((retry.getTime() - at(now).getTime()) / MINUTE);
      expect(stateAfter(state, { kind: 'refused', reason: 'forbidden', now: at(now + 1) })).toEqual(state);
      now = (retry.getTime() - start.getTime()) / MINUTE;
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 360, 360]);
  });
});
