import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BaseText, mergeChange } from '../../../../src/server/checklists/decide/merge-change.ts';
import type { Version } from '../../../../src/server/checklists/decide/state.ts';
import type { Proposal } from '../../../../src/server/checklists/decide/types.ts';
import { readerBy } from '../../../../src/server/text-workers/reading.ts';
import { builtIn } from '../../../../src/text/status-registry.ts';
import { carryRows, proposalOf, versionOf } from '../../support/history.ts';

/** Edits of the lines of a text. No two lines are similar. */
const words = ['call the customer', 'write the report', 'buy 12 apples', 'ship it', 'zip archive', 'nap'] as const;
const line = fc.record({ mark: fc.constantFrom('-', '+', '~', 'x'), says: fc.nat({ max: words.length - 1 }) });
const text = fc
  .uniqueArray(line, { selector: ({ says }) => says, minLength: 1 })
  .map(lines => lines.map(({ mark, says }) => `${mark} ${words[says]}`).join('\n'));
const edit = fc.oneof(
  fc.record({ does: fc.constant('tick' as const), at: fc.nat({ max: 5 }) }),
  fc.record({ does: fc.constant('delete' as const), at: fc.nat({ max: 5 }) }),
  fc.record({ does: fc.constant('key' as const), at: fc.nat({ max: 5 }) }),
  fc.record({ does: fc.constant('add' as const), at: fc.nat({ max: 5 }) }),
  fc.record({ does: fc.constant('clear' as const), at: fc.constant(0) }),
);
const fresh = [
  '',
  'theirs ########',
  '@@@@@@@@@@@@@@@@',
  '5555 5555 5555 555',
  '((((((((((((',
  '%%%%%%%%%%%%%%%%%%%%%',
  '&&&&&&',
];
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

function done({ does, at }: Edit, base: string, added: string): string {
  if (does === 'clear') return '';
  const lines = base.split('\n').filter(Boolean);
  const index = at % Math.max(1, lines.length);
  const old = lines[index] ?? '';
  if (does === 'add') return lines.toSpliced(index, 0, `- ${added}`).join('\n');
  if (old === '') return base;
  if (does === 'delete') return lines.toSpliced(index, 1).join('\n');
  return lines.with(index, does === 'key' ? `${old} WEB-1` : `+${old.slice(1)}`).join('\n');
}

/** The edit of a text, as a change of the whole text or of the row. */
function editOf(edit: Edit, base: string, added: string): Proposal['edit'] {
  const lines = base.split('\n').filter(Boolean);
  const index = edit.at % Math.max(1, lines.length);
  const line = lines[index];
  if (edit.does === 'clear') return { kind: 'clearChecklist' };
  if (edit.does !== 'key' || line === undefined)
    return { kind: 'restoreChecklistRevision', epoch: '', seq: 0, source: { text: done(edit, base, added), rows: [] } };
  const says = line.slice(2);
  return { kind: 'updateChecklistItem', target: { index, text: says }, values: { text: `${says} WEB-1` } };
}

/** Revisions, the newest first. */
type Versions = readonly [Version, ...Version[]];

/** Text after a change with this base, on top of the newest revision. */
function made(base: BaseText, earlier: Versions, edit: Proposal['edit']): string {
  const [current] = earlier;
  let ids = 0;
  const reader = readerBy(builtIn, () => `new-${String(ids++).padStart(4, '0')}`);
  const proposal = proposalOf(edit, { base: { epoch: '', seq: 0, hash: '' } });
  const input = { base, current, earlier, statuses: builtIn, reader };
  const { revision } = mergeChange(proposal, input, { epoch: 'e', seq: current.seq + 1 });
  return (revision ?? current).text;
}

/** The revisions after several edits; each `add` adds another text. */
function after(versions: Versions, edits: readonly Edit[]): Versions {
  let past = versions;
  for (const each of edits) {
    const [last] = past;
    const text = done(each, last.text, fresh[last.seq] ?? '');
    past = [versionOf(last.seq + 1, text, carryRows(last, text, 100 * last.seq)), ...past];
  }
  return past;
}

test('a change merges the same on a base with known row ids and on its text alone', () => {
  fc.assert(
    fc.property(text, fc.array(edit, { maxLength: 3 }), edit, (base, theirs, mine) => {
      const first = versionOf(1, base, carryRows({ text: '', rows: [] }, base));
      const versions = after([first], theirs);
      const edit = editOf(mine, base, 'mine ????????????');
      expect(made({ text: base }, versions, edit)).toBe(made(first, versions, edit));
    }),
  );
});

test('restoring a revision merges the same with and without known row ids', () => {
  fc.assert(
    fc.property(text, fc.array(edit, { maxLength: 2 }), fc.array(edit, { maxLength: 2 }), (old, then, theirs) => {
      const earlier = versionOf(1, old, carryRows({ text: '', rows: [] }, old));
      const before = after([earlier], then);
      const [base] = before;
      const versions = after(before, theirs);
      const restore = { kind: 'restoreChecklistRevision', epoch: 'e', seq: 1, source: earlier } as const;
      const known = made(base, versions, restore);
      expect(made({ text: base.text }, versions, restore)).toBe(known);
    }),
  );
});

test('a row that a foreign writer copied from an older text appears once, with the later changes', () => {
  const first = versionOf(1, '- one\n- two\n- three', ['a', 'b', 'c']);
  const added = versionOf(2, '- one\n- two\n- three\n- four', ['a', 'b', 'c', 'd']);
  const ticked = versionOf(3, '- one\n- two\n- three\n+ four', ['a', 'b', 'c', 'd']);
  const foreign = { kind: 'foreignField', text: '- four\n- one\n- two\n- three\n- new' } as const;
  const text = made(first, [ticked, added, first], foreign);
  expect(text.split('\n').toSorted()).toEqual(['+ four', '- new', '- one', '- three', '- two']);
});

test.each([
  ['reworded', '- Row 50401 gamma WEB-106', '~ Row 50401 beta', '! Row 50401 beta'],
  ['moved', '# A\n- Row 60401 beta WEB-103\n# B', '# A\n# B\n~ Row 60401 beta', '! Row 60401 beta'],
])('a foreign item without its issue key, %s, matches the row that was changed meanwhile', (...texts) => {
  const [, before, foreign, now] = texts;
  const rows = carryRows({ text: '', rows: [] }, before);
  const first = versionOf(1, before, rows);
  const changed = versionOf(2, before.replace('- Row', '- ! Row'), rows);
  const text = made(first, [changed, first], { kind: 'foreignField', text: foreign });
  expect(text.split('\n').filter(line => line.includes('Row'))).toEqual([`~ ${now}`]);
});
