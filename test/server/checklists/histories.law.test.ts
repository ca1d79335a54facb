import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inverses } from '../../../src/client/outbox/inverse.ts';
import type { ChecklistEdit } from '../../../src/domain/change.ts';
import type { Version } from '../../../src/server/checklists/revisions.ts';
import { type Start, startOf, stepOf } from '../../../src/server/checklists/step.ts';
import type { Base, Change } from '../../../src/server/checklists/types.ts';
import { hashText } from '../../../src/server/hash.ts';
import { performEdit } from '../../../src/text/perform.ts';
import { readChecklist } from '../../../src/text/read.ts';
import { targetOf } from '../../../src/text/rows.ts';
import { builtIn } from '../../../src/text/statuses.ts';
import { runs } from '../../run/seed.ts';

/*
 * Several people change one checklist, each on the version that he saw last, or on its text alone, and take back what
 * they removed. Nobody adds anything: however it goes, each row is there once at most.
 */

const words = ['call the customer', 'write the report', 'buy 12 apples', 'ship it', 'zip archive'] as const;

const action = fc.record({
  who: fc.nat({ max: 2 }),
  does: fc.constantFrom('look', 'tick', 'assign', 'reword', 'delete', 'clear', 'undo', 'restore', 'write'),
  row: fc.nat({ max: 9 }),
  known: fc.boolean(),
});
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const none: Version = { epoch: '', seq: 0, hash: hashText(''), name: 'Checklists', text: '', rows: [] };
const baseOf = ({ epoch, seq, text }: Pick<Version, 'epoch' | 'seq' | 'text'>, known: boolean): Base =>
  known ? { epoch, seq, hash: hashText(text) } : { epoch: '', seq: 0, hash: 'x', text };

/** A checklist's versions, the newest first, as the server makes them. */
function history() {
  const versions: Version[] = [];
  const newest = () => versions[0] ?? none;
  const make = (base: Base, effect: Pick<Change, 'apply' | 'rows' | 'keepsRows'>): Version => {
    const known = new Map<string, Start>([none, ...versions.toReversed()].map(version => [version.hash, version]));
    const named = versions.find(({ seq, hash }) => seq === base.seq && hash === base.hash);
    const start = named ?? startOf(base, known, newest());
    const change: Change = { issueId: '1', clientId: '1', base, kind: 'setItemStatus', name: undefined, ...effect };
    const ground = { start, current: newest(), earlier: versions, limit: Number.POSITIVE_INFINITY, statuses: builtIn };
    const step = stepOf('me', change, ground, { epoch: 'e', seq: versions.length + 1 });
    if (step) versions.unshift(step);
    return newest();
  };
  return {
    newest,
    change: (base: Base, edit: ChecklistEdit) =>
      make(base, {
        apply: (text, statuses) => performEdit(readChecklist(text, statuses), edit),
        ...((edit.kind === 'setItemStatus' || edit.kind === 'updateChecklistItem') && { keepsRows: true }),
      }),
    restore: (base: Base, { text, rows }: Version) => make(base, { apply: () => text, rows }),
  };
}

/** What one does to a row of what he sees; nothing where there is none. */
function editOf({ does, row }: Action, text: string): ChecklistEdit | undefined {
  const checklist = readChecklist(text);
  if (checklist.rows.length === 0) return undefined;
  const target = targetOf(checklist, row % checklist.rows.length);
  switch (does) {
    case 'tick':
      return { kind: 'setItemStatus', target, status: row % 2 ? 'done' : 'todo' };
    case 'assign':
      return { kind: 'updateChecklistItem', target, values: { assignee: `a${row}` } };
    case 'reword':
      return { kind: 'updateChecklistItem', target, values: { text: `${target.text} (${target.text})`.slice(0, 60) } };
    case 'delete':
      return { kind: 'deleteChecklistItem', target };
    default:
      return { kind: 'clearChecklist' };
  }
}

/** What one did last that removed rows. */
interface Removal {
  before: Version;
  /** As it showed at once. */
  after: string;
  answer: Version;
}

function run(rows: readonly string[], actions: readonly Action[]): void {
  const { newest, change, restore } = history();
  const first = change(baseOf(none, true), {
    kind: 'updateChecklistFromText',
    text: rows.map(says => `- ${says}\n`).join(''),
  });
  const seen = [first, first, first];
  const removals = new Map<number, Removal>();

  const act = (each: Action): Version => {
    const { who, does, known } = each;
    const sees = seen[who] ?? first;
    const base = baseOf(sees, known);
    const removal = removals.get(who);
    if (does === 'look') return newest();
    if (does === 'undo' || does === 'restore' || does === 'write') {
      if (!removal) return sees;
      const { before, after, answer } = removal;
      if (does === 'restore') return restore(base, before);
      if (does === 'write') {
        return change(baseOf(answer, true), { kind: 'updateChecklistFromText', text: before.text });
      }
      const steps = inverses(before.text, { ...before, text: after }, readChecklist(sees.text), () => true);
      // The text goes along, as it does where the server asks for it.
      const on = (text: string): Base => ({ ...baseOf({ ...before, text }, true), text });
      return steps.reduce((_, step) => change(step.base ? on(step.base.text) : base, step.edit), sees);
    }
    const edit = editOf(each, sees.text);
    if (!edit) return sees;
    const answer = change(base, edit);
    if (does === 'delete' || does === 'clear') {
      removals.set(who, { before: sees, after: performEdit(readChecklist(sees.text), edit), answer });
    }
    return answer;
  };

  for (const each of actions) {
    seen[each.who] = act(each);
    const { text, rows: ids } = newest();
    const said = readChecklist(text).rows.map(row => words.find(says => row.text.startsWith(says)));
    expect(new Set(said).size, text).toBe(said.length);
    expect(new Set(ids).size, text).toBe(said.length);
  }
}

test('whoever removes, changes and brings back rows, on whatever he saw: none is there twice', {
  timeout: 300_000,
}, () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...words], { minLength: 2 }),
      fc.array(action, { minLength: 4, maxLength: 20, size: 'max' }),
      run,
    ),
    runs(1_000),
  );
});
