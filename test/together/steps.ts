/** What people and the network do. */
const kinds = {
  open: 8,
  type: 16,
  enter: 5,
  goto: 4,
  moveUp: 3,
  moveDown: 3,
  deleteRow: 3,
  cut: 2,
  paste: 3,
  overtype: 4,
  undo: 4,
  redo: 2,
  save: 6,
  saveAndClose: 2,
  discardAndClose: 1,
  leave: 1,
  reload: 2,
  takeMine: 1,
  takeTheirs: 1,
  compose: 2,
  split: 2,
  join: 2,
  tick: 3,
  add: 3,
  rename: 5,
  openField: 3,
  saveField: 3,
  detail: 2,
  moveInPanel: 2,
  deleteInPanel: 2,
  undoInPanel: 2,
  offline: 1,
  online: 2,
  arrive: 8,
  arriveAll: 12,
  lose: 1,
  poll: 8,
  bulk: 1,
  wait: 3,
  select: 8,
  typeOver: 4,
  deleteSelection: 3,
  fold: 3,
  indent: 2,
  outdent: 2,
  typeOn: 3,
  enterOn: 3,
} as const;

export type Kind = keyof typeof kinds;

/** One step. Its numbers choose among what there is when it is taken. */
export interface Step {
  person: number;
  kind: Kind;
  at: number;
  to: number;
}

/** What a session begins with. */
export interface Plan {
  people: number;
  rows: number;
  /** Frames show the tracker's copy first, which does not say its rows' ids. */
  hasTrackerCopy: boolean;
  /** The first user has an editor in a second tab, too. */
  hasSecondTab?: boolean;
  steps: readonly Step[];
}

/** A generator of numbers below 1 (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const CHOICES = 1_000;
const MIN_STEPS = 20;
const MAX_STEPS = 60;
const TRACKER_COPY_SHARE = 0.3;
const SECOND_TAB_SHARE = 0.3;

const weights = Object.entries(kinds) as [Kind, number][];
const total = weights.reduce((sum, [, weight]) => sum + weight, 0);

/** Draws a session. */
export function planOf(seed: number): Plan {
  const next = numbersFrom(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const kindOf = (): Kind => {
    let left = next() * total;
    for (const [kind, weight] of weights) {
      left -= weight;
      if (left < 0) return kind;
    }
    return 'wait';
  };
  const people = 2 + below(3);
  const rows = 2 + below(5);
  const hasSecondTab = next() < SECOND_TAB_SHARE;
  const windows = people + (hasSecondTab ? 1 : 0);
  const count = MIN_STEPS + below(MAX_STEPS - MIN_STEPS + 1);
  const drawn = Array.from({ length: count }, () => ({
    person: below(windows),
    kind: kindOf(),
    at: below(CHOICES),
    to: below(CHOICES),
  }));
  // Many steps need an open editor.
  const opened = [0, 1].map(person => ({ person, kind: 'open' as const, at: 0, to: below(CHOICES) }));
  const steps = [...opened, ...drawn];
  return { people, rows, hasTrackerCopy: next() < TRACKER_COPY_SHARE, hasSecondTab, steps };
}
