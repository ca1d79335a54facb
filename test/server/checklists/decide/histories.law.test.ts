import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inverses } from '../../../../src/client/outbox/inverse.ts';
import type { ChecklistEdit } from '../../../../src/domain/change.ts';
import type { Version } from '../../../../src/server/checklists/decide/state.ts';
import { MAX_RECENT } from '../../../../src/server/checklists/decide/state.ts';
import type { Proposal } from '../../../../src/server/checklists/decide/types.ts';
import type { ChangeBase } from '../../../../src/server/checklists/service/types.ts';
import { proposalOf as foreignProposal } from '../../../../src/server/copies/foreign.ts';
import { hashText } from '../../../../src/server/text-workers/hash.ts';
import { performEdit } from '../../../../src/text/perform.ts';
import { readChecklist } from '../../../../src/text/read.ts';
import { targetOf } from '../../../../src/text/rows.ts';
import { runs } from '../../../run/seed.ts';
import { createHistory, madeOf, proposalOf } from '../../support/history.ts';

/*
 * Several users change one checklist, each on the last revision seen or on its text alone, and undo their removals.
 * Without additions, each row appears at most once.
 */

const words = ['call the customer', 'write the report', 'buy 12 apples', 'ship it', 'zip archive'] as const;

const action = fc.record({
  who: fc.nat({ max: 2 }),
  does: fc.constantFrom('read', 'tick', 'assign', 'reword', 'delete', 'clear', 'undo', 'restore', 'write'),
  row: fc.nat({ max: 9 }),
  known: fc.boolean(),
  /** Whether the edit shares a transaction with the following edits of other users. */
  joins: fc.boolean(),
});
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const none: Version = { epoch: '', seq: 0, hash: hashText(''), name: 'Checklists', text: '', rows: [] };
const baseOf = ({ epoch, seq, text }: Pick<Version, 'epoch' | 'seq' | 'text'>, known: boolean): ChangeBase =>
  known ? { epoch, seq, hash: hashText(text) } : { epoch: '', seq: 0, hash: 'x', text };

/** A requested change. */
type Asked = Pick<Proposal, 'base' | 'edit'>;

/** Revisions of a checklist as the server creates them. */
function history() {
  const { revisions, newest, decide } = createHistory();
  let asked = 0;
  const decideAll = (proposals: readonly Proposal[]): Version[] =>
    decide(proposals).outcomes.map(outcome => {
      const { seq } = madeOf(outcome).checklist;
      return revisions.find(version => version.seq === seq) ?? none;
    });
  /** Applies changes in one transaction; returns the revision of each outcome. */
  const make = (all: readonly Asked[]): Version[] =>
    decideAll(
      all.map(({ base, edit }) => {
        asked += 1;
        return proposalOf(edit, { base, clientId: String(asked) });
      }),
    );
  const one = (base: ChangeBase, edit: Asked['edit']): Version => make([{ base, edit }])[0] ?? none;
  return {
    newest,
    make,
    change: one,
    /** Applies a foreign write of the field. */
    write: (from: Version, text: string) =>
      decideAll([foreignProposal({ kind: 'foreignField', from, to: { text }, account: '' })])[0] ?? none,
    restore: (base: ChangeBase, source: Version) =>
      one(base, { kind: 'restoreChecklistRevision', epoch: source.epoch, seq: source.seq, source }),
  };
}

/** Edit of an action on the visible text; `undefined` without rows. */
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

/** The last edit of a user that removed rows. */
interface Removal {
  before: Version;
  /** Text that the client shows before the answer. */
  after: string;
  answer: Version;
}

function run(rows: readonly string[], actions: readonly Action[]): void {
  const { newest, make, change, restore } = history();
  const first = change(baseOf(none, true), {
    kind: 'updateChecklistFromText',
    text: rows.map(says => `- ${says}\n`).join(''),
  });
  const seen = [first, first, first];
  const removals = new Map<number, Removal>();
  /** Edits of one transaction, at most one per user. */
  let waiting: { who: number; sees: Version; edit: ChecklistEdit; base: ChangeBase }[] = [];

  function settle(): void {
    const all = waiting;
    waiting = [];
    const answers = make(all);
    for (const [index, { who, sees, edit }] of all.entries()) {
      const answer = answers[index] ?? none;
      seen[who] = answer;
      if (edit.kind !== 'deleteChecklistItem' && edit.kind !== 'clearChecklist') continue;
      removals.set(who, { before: sees, after: performEdit(readChecklist(sees.text), edit), answer });
    }
  }

  /** Revision after the user undoes the own removal. */
  function undo({ who, does, known }: Action, sees: Version): Version {
    const removal = removals.get(who);
    if (!removal) return sees;
    const base = baseOf(sees, known);
    const { before, after, answer } = removal;
    if (does === 'restore') return restore(base, before);
    if (does === 'write') {
      return change(baseOf(answer, true), { kind: 'updateChecklistFromText', text: before.text });
    }
    const steps = inverses({ text: before.text }, { ...before, text: after }, readChecklist(sees.text), () => true);
    // The text is sent along, as after BASE_UNKNOWN.
    const on = (text: string): ChangeBase => ({ ...baseOf({ ...before, text }, true), text });
    return steps.reduce((_, step) => change(step.base ? on(step.base.text) : base, step.edit), sees);
  }

  function act(action: Action): void {
    const { who, does, known, joins } = action;
    if (waiting.some(each => each.who === who)) settle();
    const sees = seen[who] ?? first;
    if (does === 'read') seen[who] = newest();
    else if (does === 'undo' || does === 'restore' || does === 'write') {
      settle();
      seen[who] = undo(action, sees);
    } else {
      const edit = editOf(action, sees.text);
      if (edit) waiting.push({ who, sees, edit, base: baseOf(sees, known) });
      if (!joins) settle();
    }
  }

  function check(): void {
    const { text, rows: ids } = newest();
    const said = readChecklist(text).rows.map(row => words.find(says => row.text.startsWith(says)));
    expect(new Set(said).size, text).toBe(said.length);
    expect(new Set(ids).size, text).toBe(said.length);
  }

  for (const action of actions) {
    act(action);
    check();
  }
  settle();
  check();
}

test('concurrent removals, changes and restores on any base leave no duplicate rows', {
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

test('an old text written back to the field is an old revision, whose rows appear once', () => {
  const { newest, change, write } = history();
  const says = (text: string) => change(baseOf(newest(), true), { kind: 'updateChecklistFromText', text });
  const old = says('- call the customer\n- write the report\n- ship it');
  const target = targetOf(readChecklist(old.text), 1);
  change(baseOf(old, true), { kind: 'updateChecklistItem', target, values: { text: 'zip archive' } });
  says('- zip archive\n- call the customer\n- ship it');
  for (let day = 0; day <= MAX_RECENT; day += 1) says(newest().text.replace(/ship it.*/, `ship it ${day}`));
  const { text } = write(newest(), old.text);
  expect(readChecklist(text).rows).toHaveLength(3);
});

test('a foreign text with rows that were reworded and restored many changes ago has each row once', () => {
  const { newest, change, write } = history();
  const says = (text: string) => change(baseOf(newest(), true), { kind: 'updateChecklistFromText', text });
  const old = says('- call the customer\n- write the report');
  change(baseOf(newest(), true), { kind: 'clearChecklist' });
  const cleared = newest();
  const target = targetOf(readChecklist(old.text), 1);
  change(baseOf(old, true), { kind: 'updateChecklistItem', target, values: { text: 'zip archive' } });
  for (let day = 0; day <= MAX_RECENT; day += 1)
    says(`${newest().text.replace(/\n- ship it.*/, '')}\n- ship it ${day}`);
  const { text } = write(cleared, `${old.text}\n- send the invoice`);
  const words = readChecklist(text).rows.map(row => row.text);
  expect(words).toHaveLength(4);
  expect(words).toEqual(expect.arrayContaining(['call the customer', 'send the invoice', `ship it ${MAX_RECENT}`]));
});
