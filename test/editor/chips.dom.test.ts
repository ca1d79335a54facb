import { EditorSelection, EditorState } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { statuses } from '../../src/editor/checklist.ts';
import { type ChipData, chipContent } from '../../src/editor/chips/content.ts';
import { chipDropping } from '../../src/editor/chips/drop.ts';
import { ChipWidget } from '../../src/editor/chips/widget.ts';
import { chipsBetween } from '../../src/editor/chips.ts';
import { spaceBehind } from '../../src/editor/complete/option.ts';
import { statusRegistry } from '../../src/text/status-registry.ts';
import { marked, stateOf } from './fixture.ts';

const registry = statusRegistry([
  { slug: 'on-hold', name: 'ON HOLD', checked: false, color: 'purple' },
  { slug: 'qa-ok', name: 'QA 12-AB OK', checked: true, color: 'green' },
]);

const world: ChipData = {
  today: () => '2026-11-22',
  person: id =>
    id === 'gone' ? null : id === 'mia' ? { accountId: id, name: 'Mia Krystof', avatar: '/mia.png' } : undefined,
  issue: key =>
    key === 'WEB-2'
      ? {
          id: '2',
          key,
          link: '',
          name: 'Broken login',
          assignee: undefined,
          priority: { icon: '/high.svg', title: 'High' },
          status: { title: 'In Review', color: 'yellow', lozenge: 'inprogress', icon: '' },
        }
      : key === 'WEB-404'
        ? null
        : undefined,
  isOwnAddress: address => address.startsWith('https://site.example/browse/'),
  glyph: code => (code === 'tada' ? '🎉' : undefined),
};

interface Shown {
  from: number;
  to: number;
  words: string;
}

/** Every chip of a text with its words, without those of its pictures. */
function shown(state: EditorState): Shown[] {
  const found: Shown[] = [];
  chipsBetween(state, [{ from: 0, to: state.doc.length }], world).between(0, state.doc.length, (from, to, { spec }) => {
    if (spec.widget instanceof ChipWidget) {
      found.push({ from, to, words: spec.widget.toDOM().textContent ?? '' });
    }
  });
  return found;
}

test('an issue shows its priority by a picture with its name, and its words only if that is not there', () => {
  const dom = new ChipWidget(
    chipContent({ kind: 'issue', key: 'WEB-2' }, world) ?? expect.unreachable(),
    'WEB-2',
  ).toDOM();
  const picture = dom.querySelector('img');
  expect(picture).toHaveAttribute('alt', 'Priority: High');
  expect(picture).toHaveAttribute('src', '/high.svg');
  expect(picture?.nextSibling?.nextSibling).toHaveTextContent('In Review');
  picture?.dispatchEvent(new Event('error'));
  expect(dom.querySelector('img')).toBeNull();
});

const wordsOf = (marked: string) => shown(stateOf(marked, statuses.of(registry))).map(({ words }) => words);

test.each([
  ['|\n- see https://site.example/browse/WEB-2', ['WEB-2 Broken login In Review']],
  ['|\n- see https://site.example/browse/WEB-2?focusedId=3&page=a#comment-3.', ['WEB-2 Broken login In Review']],
  ['|\n- see https://other.example/browse/WEB-2?focusedId=3', []],
  ['|\n- see https://site.example/browse/WEB-404?focusedId=3', []],
  ['|\n- for [~accountid:mia]', ['@Mia Krystof']],
  ['|\n- for [~accountid:nobody-said]', ['@…']],
  ['|\n- for [~accountid:gone]', ['Unknown person']],
  ['|\n- see WEB-2', ['WEB-2 Broken login In Review']],
  ['|\n- see WEB-404, WEB-5', []],
  ['|\n- done :tada: :no_such_emoji: at 10:30:45', ['🎉']],
  ['|\n- by 2026-11-27', ['Fri 27 Nov']],
  ['|\n- by 27/11/2027', ['Sat 27 Nov 2027']],
  ['|\n- by 2026-11-22', ['Sun 22 Nov today']],
  ['|\n- by 2026-11-20', ['Fri 20 Nov overdue']],
  ['|\n~ by 2026-11-20', ['Fri 20 Nov overdue']],
  ['|\n- [ON HOLD] wait', ['ON HOLD']],
  ['|\n- ! must 30.02.2026', []],
  ['|\n# Ship !before:[In review] it !customers', ['Before In review', 'Visible to customers']],
  ['|\n- Ship !before:Done !customers\n> !customers', []],
  ['|\n# Ship !before: `!customers`', []],
  ['|\n- `2026-11-20` [a](https://x.test/WEB-2) https://x.test/2026-11-20', []],
  ['|\n- **by 2026-11-27**', ['Fri 27 Nov']],
])('%j shows %j', (text, words) => expect(wordsOf(text)).toEqual(words));

test.each([
  '|\n+ was by 2026-11-20',
  '|\nx was by 2026-11-20',
  '|\n# Since 2026-11-20',
  '|\n- a\n> since 2026-11-20',
  '|\n+ [QA 12-AB OK] was by 2026-11-20',
])('a day that is no due date is not overdue: %j', text => {
  expect(wordsOf(text).at(-1)).toBe('Fri 20 Nov');
});

test('only the day by which an item is due is overdue, not others that it names', () => {
  expect(wordsOf('|\n- the talk of 2026-11-01 is moved to [~accountid:mia] 2026-11-20')).toEqual([
    'Sun 1 Nov',
    '@Mia Krystof',
    'Fri 20 Nov overdue',
  ]);
});

test('a name in brackets that no status bears stays text, what it names does not', () => {
  expect(wordsOf('|\n- [NOTHING] a')).toEqual([]);
  expect(wordsOf('|\n- [WEB-2] a')).toEqual(['WEB-2 Broken login In Review']);
});

test('what is inside the name of a status is no chip of its own', () => {
  expect(wordsOf('|\n+ [QA 12-AB OK] a')).toEqual(['QA 12-AB OK']);
});

test.each(['- on 2026-11-27| ok', '- on |2026-11-27 ok', '- |on 2026-11-27 ok|', '- on |2026-11-27| ok'])(
  'a chip that the selection touches or covers stays one: %j',
  text => expect(wordsOf(text)).toEqual(['Fri 27 Nov']),
);

test('a cursor inside, as in text that was not a chip until now, shows the text', () => {
  expect(wordsOf('- on 2026-|11-27 ok')).toEqual([]);
  const day = '- on 2026-11-27';
  const selection = EditorSelection.create([EditorSelection.cursor(8), EditorSelection.cursor(day.length + 9)]);
  const state = stateOf(`${day}\n${day}\n${day}`, EditorState.allowMultipleSelections.of(true));
  expect(shown(state.update({ selection }).state).map(({ from }) => from)).toEqual([2 * (day.length + 1) + 5]);
});

test('a line may begin with one', () => {
  expect(shown(stateOf('|\nWEB-2 fails\n2026-11-20 is over\n[~accountid:mia] knows'))).toEqual([
    { from: 1, to: 6, words: 'WEB-2 Broken login In Review' },
    { from: 13, to: 23, words: 'Fri 20 Nov overdue' },
    { from: 32, to: 48, words: '@Mia Krystof' },
  ]);
});

const pieces = [
  ...['[~accountid:mia]', '[~accountid:gone]', 'WEB-2', 'WEB-5', ':tada:', '2026-11-20', '27/11/2027', '[ON HOLD] '],
  ...['\n', '\n', '- ', '+ ', '> ', '# ', ' ', '**', '`', 'word', '[', ']', '😀', '\t'],
];
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map(parts => parts.join(''));

test('no selection ends inside a chip, and no chip spans lines', () => {
  fc.assert(
    fc.property(texts, fc.nat(), fc.nat(), (doc, a, b) => {
      const [anchor, head] = [a % (doc.length + 1), b % (doc.length + 1)];
      const state = stateOf(doc, statuses.of(registry)).update({ selection: { anchor, head } }).state;
      const { from, to } = state.selection.main;
      for (const chip of shown(state)) {
        for (const end of [from, to]) expect(end <= chip.from || end >= chip.to).toBe(true);
        expect(state.doc.lineAt(chip.from).to).toBeGreaterThanOrEqual(chip.to);
      }
    }),
  );
});

test('after any edit the chips are those of the text opened anew', () => {
  fc.assert(
    fc.property(
      texts,
      fc.array(fc.tuple(fc.nat(), fc.nat(6), fc.constantFrom(...pieces, '')), { maxLength: 6 }),
      (doc, edits) => {
        let state = stateOf(doc, statuses.of(registry));
        for (const [at, length, insert] of edits) {
          shown(state);
          const from = at % (state.doc.length + 1);
          const to = Math.min(from + length, state.doc.length);
          state = state.update({ changes: { from, to, insert } }).state;
        }
        const anew = stateOf(state.doc.toString(), statuses.of(registry)).update({ selection: { anchor: 0 } }).state;
        state = state.update({ selection: { anchor: 0 } }).state;
        expect(shown(state)).toEqual(shown(anew));
      },
    ),
  );
});

/** Drops what is selected at the mark `^` of the other text, as CodeMirror does. */
function dropped(text: string, at: string, copies = false): string {
  const state = stateOf(text, statuses.of(registry), chipDropping);
  const { from, to } = state.selection.main;
  const position = at.indexOf('^');
  const insert = { from: position, insert: state.sliceDoc(from, to) };
  const changes = state.changes(copies ? insert : [{ from, to }, insert]);
  const selection = { anchor: changes.mapPos(position, -1), head: changes.mapPos(position, 1) };
  return marked(state.update({ changes, selection, userEvent: copies ? 'input.drop' : 'move.drop' }).state);
}

test.each([
  [
    'beside a word, parted by a blank',
    '- Ask |[~accountid:mia]| now\n- b',
    '- Ask [~accountid:mia] now\n- b^',
    '- Ask now\n- b |[~accountid:mia]| ',
  ],
  ['inside a word', '- by |2026-12-01|\n- word', '- by 2026-12-01\n- wo^rd', '- by \n- wo |2026-12-01| rd'],
  ['between blanks', '- a |2026-12-01| b c', '- a 2026-12-01 b ^c', '- a b |2026-12-01| c'],
  ['before a full stop', '- |:tada:| a b.', '- :tada: a b^.', '- a b |:tada:|.'],
  ['beside itself', '- a |2026-12-01| b', '- a 2026-12-01^ b', '- a |2026-12-01| b'],
  ['as the status of another row', '- |[ON HOLD]| a\n- b', '- [ON HOLD] a\n- ^b', '- a\n- |[ON HOLD]| b'],
  ['a status behind words', '- |[ON HOLD]| a\n- b', '- [ON HOLD] a\n- b^', '- |[ON HOLD]| a\n- b'],
])('a dragged chip stays a chip: %s', (_where, text, at, after) => {
  expect(dropped(text, at)).toBe(after);
});

test.each([
  ['- a |\n- b', true],
  ['- a |', true],
  ['- a |b', true],
  ['- a | b', false],
  ['- a |, b', false],
  ['- (a |)', false],
])('what is put at %j is parted from what comes behind it: %s', (text, parted) => {
  const state = stateOf(text);
  expect(spaceBehind(state, state.selection.main.head)).toBe(parted);
});

test('a copied chip is dropped whole, and its original stays', () => {
  expect(dropped('- a |2026-12-01| b', '- a 2026-12-01 ^b', true)).toBe('- a 2026-12-01 |2026-12-01| b');
});

test('wherever a chip is dropped, it stays whole, and no other text is lost', () => {
  const texts = [
    '- Ask [~accountid:mia] by 2026-12-01, :tada: WEB-2',
    '# Ship',
    '- [ON HOLD] wait',
    '> for [~accountid:gone]',
  ];
  const doc = texts.join('\n');
  const chips = shown(stateOf(`|${doc}`, statuses.of(registry)));
  const words = (text: string) => text.replace(/\s+/g, '').split('').toSorted().join('');
  for (const { from, to } of chips) {
    for (let at = 0; at <= doc.length; at++) {
      if (chips.some(other => at > other.from && at < other.to)) continue;
      const text = `${doc.slice(0, from)}|${doc.slice(from, to)}|${doc.slice(to)}`;
      const after = dropped(text, `${doc.slice(0, at)}^${doc.slice(at)}`);
      expect(words(after)).toBe(words(text));
      expect(after).toContain(`|${doc.slice(from, to)}|`);
      expect(shown(stateOf(`|${after.replaceAll('|', '')}`, statuses.of(registry)))).toHaveLength(chips.length);
    }
  }
});
