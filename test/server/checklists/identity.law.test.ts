import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { inverses } from '../../../src/client/outbox/inverse.ts';
import type { Base as ClientBase } from '../../../src/client/reading.ts';
import type { ChecklistChange, ChecklistEdit, ItemValues } from '../../../src/domain/change.ts';
import type { ChangeBase, ChecklistView } from '../../../src/server/checklists/types.ts';
import { hashText } from '../../../src/server/common/hash.ts';
import { Refused } from '../../../src/server/errors/refused.ts';
import { performEdit } from '../../../src/text/perform.ts';
import { readChecklist } from '../../../src/text/read.ts';
import { runs } from '../../run/seed.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { add, EDITOR, type IssueWork, newIssue, tick, update, workOn } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

/** Far apart in what they say, so that none is taken for another one reworded. */
const words = ['call the customer', 'write the report', 'buy 12 apples', 'ship it', 'zip archive'] as const;
const place = fc.nat({ max: words.length - 1 });

const plan = fc.record({
  rows: fc.shuffledSubarray([...words], { minLength: 2 }),
  /** Which rows one person removes, besides the one that another person changes; or all of them at once. */
  gone: fc.uniqueArray(place, { maxLength: 4 }),
  clears: fc.boolean(),
  other: fc.record({
    row: place,
    does: fc.constantFrom('tick', 'assign', 'reword', 'replace'),
    base: fc.constantFrom('known', 'older', 'unknown'),
    comes: fc.constantFrom('before the removal', 'before the undoing', 'after the undoing'),
  }),
  undo: fc.record({
    by: fc.constantFrom('restore', 'text', 'inverse', 'parts'),
    /** Whether the removal's answer is all that shows where it is undone, or what others did since, too. */
    sees: fc.boolean(),
    base: fc.constantFrom('known', 'unknown'),
  }),
});
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

/** What another person does to an item, and the line that it is then. */
function othersChange({ does }: Plan['other'], says: string, index: number): { edit: ChecklistEdit; becomes: string } {
  const valued = (values: ItemValues): ChecklistEdit => ({
    ...{ kind: 'updateChecklistItem', target: { index, text: says } },
    values,
  });
  switch (does) {
    case 'tick':
      return { edit: tick(index, says), becomes: `+ ${says}` };
    case 'assign':
      return { edit: valued({ assignee: 'anna' }), becomes: `- ${says} [~accountid:anna]` };
    case 'reword':
      return { edit: valued({ text: `${says} soon` }), becomes: `- ${says} soon` };
    case 'replace':
      return { edit: valued({ text: 'Quite another thing' }), becomes: '- Quite another thing' };
  }
}

const removalOf = (rows: readonly string[], { gone, clears }: Plan, other: number): ChecklistEdit => {
  if (clears) return { kind: 'clearChecklist' };
  const indexes = [...new Set([other, ...gone.map(index => index % rows.length)])];
  const targets = indexes.map(index => ({ index, text: rows[index] ?? '' }));
  return {
    kind: 'changeChecklistItems',
    edits: targets.map(target => ({ kind: 'deleteChecklistItem', target })),
  };
};

/** The same text as the server knows it, or as one that it does not know. */
const as = ({ epoch, seq, hash, text }: ChecklistView, how: string): ChangeBase =>
  how === 'unknown' ? { epoch: '', seq: 0, hash: 'x', text } : { epoch, seq, hash };

const linesOf = (text: string) => text.split('\n').filter(Boolean);

onStore(use => {
  let it: TestApp;
  beforeAll(async () => {
    it = await startApp(use().store);
    return () => it.app.close();
  });

  /** The lines of the newest version, each with its lasting id. */
  async function newest({ id }: IssueWork) {
    const found = await use().raw('select text, rows from revision where issue = $1 order by seq desc limit 1', [id]);
    const { text, rows } = found[0] as { text: string; rows: string[] };
    return linesOf(text).map((line, index) => ({ line, id: rows[index] }));
  }

  /** As an outbox does: with the base's text where it is asked for. */
  async function send(issue: IssueWork, edit: ChecklistChange, { epoch, seq, text }: ClientBase) {
    const base = { epoch, seq, hash: hashText(text) };
    return issue.change(edit, base).catch(error => {
      if (!(error instanceof Refused && error.code === 'BASE_UNKNOWN')) throw error;
      return issue.change(edit, { ...base, text });
    });
  }

  async function undo(
    issue: IssueWork,
    { undo: { by, sees, base }, other }: Plan,
    removal: ChecklistEdit,
    { before, after }: Record<'before' | 'after', ChecklistView>,
  ): Promise<void> {
    const { epoch, seq } = after;
    // The version before the removal, as the history shows it.
    if (by === 'restore') {
      await issue.change({ kind: 'restoreChecklistRevision', epoch, seq: seq - 1 }, as(after, base));
    } else if (by === 'text' && other.comes !== 'before the removal') {
      await issue.change(update(before.text), as(after, base));
    } else {
      // What the removal made of the text where it was asked for, before the answer came.
      const made = { ...before, text: performEdit(readChecklist(before.text), removal) };
      const seen: ChecklistView = sees ? await issue.read() : after;
      const may = ({ kind }: ChecklistEdit) => by !== 'parts' || kind !== 'updateChecklistFromText';
      for (const inverse of inverses(before.text, made, readChecklist(seen.text), may)) {
        if (inverse.base) await send(issue, inverse.edit, inverse.base);
        else await issue.change(inverse.edit, as(seen, base));
      }
    }
  }

  async function run(plan: Plan): Promise<void> {
    const { rows, other } = plan;
    const issue = await newIssue(it);
    const account = randomUUID();
    it.tracker.granted.set(account, EDITOR);
    const another = await workOn(it, issue.id, account);
    const { checklist: older } = await issue.edit(update(rows.map(says => `- ${says}\n`).join('')));
    const { checklist: before } = await issue.edit(add('nap'));
    const expected = await newest(issue);

    const index = other.row % rows.length;
    const { edit, becomes } = othersChange(other, rows[index] ?? '', index);
    const change = () => another.change(edit, other.base === 'older' ? as(older, 'known') : as(before, other.base));
    const removal = removalOf(rows, plan, index);

    if (other.comes === 'before the removal') await change();
    const { checklist: after } = await issue.change(removal, before);
    if (other.comes === 'before the undoing') await change();
    await undo(issue, plan, removal, { before, after });
    if (other.comes === 'after the undoing') await change();

    expect(await newest(issue)).toEqual(expected.with(index, { line: becomes, id: expected[index]?.id }));
  }

  test(
    'a row that one removes and brings back is that row, as another person has changed it',
    {
      timeout: 300_000,
    },
    () =>
      fc.assert(
        fc.asyncProperty(plan, async plan => {
          const isReworded = plan.other.does === 'reword' || plan.other.does === 'replace';
          // Whoever may not write the whole text brings no base that the server does not know.
          fc.pre(!(plan.undo.by === 'parts' && isReworded));
          await run(plan);
        }),
        runs(300),
      ),
  );
});
