import {
  attributes,
  type Effect,
  effectsOf,
  isForeign,
  type RowState,
  type Rows,
  rowsOf,
  sameRow,
  shown,
} from './rows.ts';

/** A change that the add-on acknowledged. */
export interface Acknowledged {
  issue: string;
  who: string;
  clientId: string;
  mutation: string;
  base: { seq: number; text: string };
  /** The text that its client saw then. */
  mine: string;
  epoch: string;
  seq: number;
  /** The text that was answered. */
  text: string;
  conflicts: readonly { row: string; attribute: string }[];
  /** Of the issue that was made, and the number of the row that it was made of. */
  converted?: { key: string; number: string };
}

export interface Violation {
  what: string;
  issue: string;
  story: string;
}

export interface Replay {
  /** What the rows must be in the end. */
  rows: Rows;
  violations: Violation[];
  /** Rows of others that our clients changed with the whole text: cleared or restored. */
  overruled: ReadonlySet<string>;
  /** Deletions that gave way to somebody's change of the row. */
  gaveWay: number;
}

/**
 * Replays the acknowledged changes of an issue in the order of their revisions, row by row, and compares with what was
 * answered. What "is in" means, precisely:
 *
 * - an added row is there, once, until a change that knew it deletes it;
 * - an attribute has the value of the last change that set it; where that change did not know the one before, it must have
 *   reported the conflict;
 * - a deletion counts where nobody changed the row since the deleter's base, else the row stays;
 * - a change of a row that was deleted meanwhile brings the row back as its client saw it.
 *
 * `excused` rows were run over by somebody's blind write of an older text.
 */
export function replay(issue: string, changes: readonly Acknowledged[], excused: ReadonlySet<string>): Replay {
  const rows = new Map<string, RowState>();
  const violations: Violation[] = [];
  const history = new Map<string, string[]>();
  const overruled = new Set<string>();
  let gaveWay = 0;
  const isOurs = (number: string) => !isForeign(number) && !excused.has(number);
  const sorted = [...changes].sort((a, b) => a.seq - b.seq);

  const tell = (what: string, number: string, story: string) =>
    violations.push({ what, issue, story: [...(history.get(number) ?? []).slice(-4), story].join('; ') });

  function apply(change: Acknowledged, effect: Effect, base: Rows): void {
    const { number } = effect;
    const now = rows.get(number);
    const before = base.get(number);
    const log = history.get(number) ?? [];
    history.set(number, log);
    if (effect.did === 'add') {
      rows.set(number, effect.row);
      log.push(`${nameOf(change)} added it as ${shown(effect.row)}`);
    } else if (effect.did === 'remove') {
      if (now && !sameRow(now, before)) gaveWay += 1;
      else rows.delete(number);
      log.push(`${nameOf(change)} deleted it${rows.has(number) ? ', and it stays for it was changed meanwhile' : ''}`);
    } else {
      const values = Object.entries(effect.values).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
      for (const name of now && before ? unreported(change, effect.values, before, now) : []) {
        const over = `over ${JSON.stringify(now?.[name])}, which it did not know`;
        tell('overwritten without a word', number, `${nameOf(change)} set ${name} ${over}, and reported no conflict`);
      }
      const start = now ?? before;
      if (start) rows.set(number, { ...start, ...effect.values });
      log.push(`${nameOf(change)} set ${values.join(', ')}`);
    }
  }

  for (let at = 0; at < sorted.length; ) {
    const first = sorted[at];
    if (!first) break;
    const together = sorted.slice(at).filter(({ seq }) => seq === first.seq);
    at += together.length;
    // Several changes in one revision came one after the other; the order is the one that explains the answer best.
    const before = new Map(rows);
    const answered = rowsOf(first.text);
    for (const change of inBestOrder(together, before, answered)) {
      const base = rowsOf(change.base.text);
      for (const effect of effectsOf(base, rowsOf(change.mine))) {
        if (isOurs(effect.number)) apply(change, effect, base);
        else if (isForeign(effect.number)) overruled.add(effect.number);
      }
    }
    for (const number of new Set([...rows.keys(), ...answered.keys()])) {
      if (!isOurs(number)) continue;
      const [expected, actual] = [rows.get(number), answered.get(number)];
      if (sameRow(expected, actual)) continue;
      tell(
        whatHappened(before.get(number), expected, actual),
        number,
        `revision ${first.seq} (${together.map(nameOf).join(' and ')}) has ${shown(actual)} instead of ${shown(expected)}`,
      );
      if (actual) rows.set(number, actual);
      else rows.delete(number);
    }
  }
  return { rows, violations, overruled, gaveWay };
}

const nameOf = ({ who, mutation, seq, base }: Acknowledged) => `${who}'s ${mutation} (revision ${seq} on ${base.seq})`;

/** The attributes that a change set over another change's values that it did not know, and did not report. */
function unreported(change: Acknowledged, values: Partial<RowState>, before: RowState, now: RowState) {
  return attributes.filter(name => {
    if (!(name in values) || name === 'mandatory') return false;
    if (now[name] === before[name] || now[name] === values[name]) return false;
    return !change.conflicts.some(conflict => conflict.attribute === name);
  });
}

function whatHappened(
  before: RowState | undefined,
  expected: RowState | undefined,
  actual: RowState | undefined,
): string {
  if (expected && !actual) return 'a row is gone';
  if (!expected && actual) return 'a row is there that should not be';
  return sameRow(before, expected) ? 'a row changed that nobody changed' : 'a change is not in';
}

/** Tries the orders of a few changes that were made in one revision; more of them are taken as they came. */
function inBestOrder(changes: Acknowledged[], start: ReadonlyMap<string, RowState>, answered: Rows): Acknowledged[] {
  if (changes.length < 2 || changes.length > 5) return changes;
  let best = { order: changes, wrong: Number.POSITIVE_INFINITY };
  for (const order of ordersOf(changes)) {
    const rows = new Map(start);
    for (const change of order) {
      const base = rowsOf(change.base.text);
      for (const effect of effectsOf(base, rowsOf(change.mine))) {
        const now = rows.get(effect.number);
        const before = now ?? base.get(effect.number);
        if (effect.did === 'add') rows.set(effect.number, effect.row);
        else if (effect.did === 'set' && before) rows.set(effect.number, { ...before, ...effect.values });
        else if (effect.did === 'remove' && sameRow(now, base.get(effect.number))) rows.delete(effect.number);
      }
    }
    const numbers = new Set([...rows.keys(), ...answered.keys()]);
    const wrong = [...numbers].filter(number => !sameRow(rows.get(number), answered.get(number))).length;
    if (wrong < best.wrong) best = { order, wrong };
  }
  return best.order;
}

function ordersOf<T>(list: readonly T[]): T[][] {
  if (list.length < 2) return [[...list]];
  return list.flatMap((first, index) =>
    ordersOf([...list.slice(0, index), ...list.slice(index + 1)]).map(rest => [first, ...rest]),
  );
}
