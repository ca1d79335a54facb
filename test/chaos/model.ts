import { MAX_RECENT } from '../../src/server/checklists/decide/state.ts';
import {
  attributes,
  type Effect,
  effectsOf,
  type RowState,
  type Rows,
  repeatedIn,
  rowsOf,
  sameRow,
  shown,
} from './rows.ts';

/** Source of a revision: an edit of a base. */
export interface Step {
  who: string;
  mutation: string;
  base: { seq?: number; text: string };
  /** The author's result. */
  mine: string;
  seq: number;
  /** The text of the revision. */
  text: string;
  conflicts: readonly { row: string; attribute: string }[];
  /** Rows that are taken as the revision has them; without a known source, the base is the revision before it. */
  isOpen?(number: string): boolean;
}

/** A change that the add-on acknowledged. */
export interface Acknowledged extends Step {
  issue: string;
  clientId: string;
  base: { seq: number; text: string };
  epoch: string;
  /** Key of the issue that was created, and the number of its row. */
  converted?: { key: string; number: string };
}

export interface Violation {
  what: string;
  issue: string;
  detail: string;
}

export interface Replay {
  /** The rows at the end. */
  rows: Rows;
  violations: Violation[];
  /** Deletions overridden by a change of the row that they did not know. */
  gaveWay: number;
}

/**
 * Replays the steps of an issue's history in the order of their revisions, row by row, and compares with the text of
 * each. What "is in" means, precisely:
 *
 * - an added row is there, once, until a change that knew it deletes it;
 * - an attribute has the value of the last change that set it; where that change did not know the one before, it must have
 *   reported the conflict;
 * - a deletion counts where no other change touched the row since the deleter's base, else the row stays;
 * - a change of a row that was deleted meanwhile brings the row back as it was then; on a base that is not known, or long
 *   ago, at least as the change's author saw it;
 * - a version that comes back, restored or as the text that a foreign writer had read, says nothing of rows that its base
 *   has not, but which are there now: what others made of them since that version is later, attribute by attribute.
 */
export function replay(issue: string, steps: readonly Step[]): Replay {
  const rows = new Map<string, RowState>();
  const violations: Violation[] = [];
  const history = new Map<string, string[]>();
  /** Each row's states so far. */
  const past = new Map<string, RowState[]>();
  /** What deleted rows were as they were deleted. */
  const deleted = new Map<string, RowState>();
  const doubled = new Set<string>();
  let gaveWay = 0;

  const report = (what: string, number: string, detail: string) =>
    violations.push({ what, issue, detail: [...(history.get(number) ?? []).slice(-4), detail].join('; ') });

  /** Returns the states that the row may have as well, attribute by attribute. */
  function apply(step: Step, effect: Effect, base: Rows, after: Rows): RowState | undefined {
    const { number } = effect;
    const before = base.get(number);
    const isOld = step.seq - (step.base.seq ?? 0) > MAX_RECENT;
    const isBack = !rows.has(number) && before !== undefined;
    const now = rows.get(number) ?? (isBack && !isOld ? deleted.get(number) : undefined);
    const log = history.get(number) ?? [];
    history.set(number, log);
    if (effect.did === 'add') {
      log.push(`${nameOf(step)} added it as ${shown(effect.row)}`);
      const wasThere = past.get(number)?.some(row => sameRow(row, effect.row));
      if (now && (wasThere || step.mutation === 'restoreChecklistRevision')) return effect.row;
      rows.set(number, effect.row);
    } else if (effect.did === 'remove') {
      if (now && !isBack && !sameRow(now, before)) gaveWay += 1;
      else rows.delete(number);
      log.push(`${nameOf(step)} deleted it${rows.has(number) ? ', and it stays for it was changed meanwhile' : ''}`);
    } else {
      const values = Object.entries(effect.values).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
      const notes = bothNotes(effect.values, before, now, after.get(number));
      const { details: _, ...others } = effect.values;
      for (const name of now && before ? unreported(step, notes ? others : effect.values, before, now) : []) {
        const over = `over ${JSON.stringify(now?.[name])}, which it did not know`;
        report('overwritten without a word', number, `${nameOf(step)} set ${name} ${over}, and reported no conflict`);
      }
      const start = now ?? before;
      if (start) rows.set(number, { ...start, ...effect.values, ...notes });
      log.push(`${nameOf(step)} set ${values.join(', ')}`);
      const last = isBack && isOld ? deleted.get(number) : undefined;
      if (last) return { ...last, ...effect.values, ...bothNotes(effect.values, before, last, after.get(number)) };
    }
    return undefined;
  }

  for (const step of [...steps].sort((a, b) => a.seq - b.seq)) {
    const before = new Map(rows);
    const after = rowsOf(step.text);
    const base = rowsOf(step.base.text);
    const restored = new Map<string, RowState>();
    for (const effect of effectsOf(base, rowsOf(step.mine))) {
      if (step.isOpen?.(effect.number)) continue;
      const other = apply(step, effect, base, after);
      if (other) restored.set(effect.number, other);
    }
    for (const number of repeatedIn(step.text)) {
      if (doubled.has(number)) continue;
      doubled.add(number);
      report('a row is there twice', number, `${nameOf(step)} doubled it`);
    }
    for (const [number, row] of before) if (!after.has(number)) deleted.set(number, row);
    for (const [number, row] of after) {
      const states = past.get(number);
      if (!states) past.set(number, [row]);
      else if (!sameRow(states.at(-1), row)) states.push(row);
    }
    for (const number of new Set([...rows.keys(), ...after.keys()])) {
      const [expected, actual] = [rows.get(number), after.get(number)];
      if (sameRow(expected, actual)) continue;
      if (actual) rows.set(number, actual);
      else rows.delete(number);
      if (step.isOpen?.(number) || isBetween(actual, expected, restored.get(number))) continue;
      const detail = `${nameOf(step)} has ${shown(actual)} instead of ${shown(expected)}`;
      report(whatHappened(before.get(number), expected, actual), number, detail);
    }
  }
  return { rows, violations, gaveWay };
}

/** Whether each attribute is that of one state or the other. */
const isBetween = (row: RowState | undefined, one: RowState | undefined, other: RowState | undefined): boolean =>
  row !== undefined &&
  one !== undefined &&
  other !== undefined &&
  attributes.every(name => [one[name], other[name]].includes(row[name]));

const nameOf = ({ who, mutation, seq, base }: Step) =>
  `${who}'s ${mutation} (revision ${seq} on ${base.seq ?? 'its own base'})`;

/** The details of a row to which two changes added lines, where all of these are in. */
function bothNotes(
  { details }: Partial<RowState>,
  before: RowState | undefined,
  now: RowState | undefined,
  after: RowState | undefined,
): Partial<RowState> | undefined {
  if (details === undefined || !before || !now || !after || now.details === before.details) return undefined;
  const [was, is] = [before.details.split('\n'), after.details.split('\n')];
  const added = [now.details, details].map(lines => lines.split('\n').filter(line => !was.includes(line)));
  const isBoth = added.every(lines => lines.length > 0 && lines.every(line => is.includes(line)));
  return isBoth ? { details: after.details } : undefined;
}

/** The attributes that a change set over unknown values of another change without reporting a conflict. */
function unreported(change: Step, values: Partial<RowState>, before: RowState, now: RowState) {
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
  return sameRow(before, expected) ? 'a row changed that no change touched' : 'a change is not in';
}
