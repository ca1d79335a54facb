import type { EditorView } from '@codemirror/view';
import { screen } from '@testing-library/dom';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import type { Person } from '../../../src/domain/person.ts';
import { selectNextOccurrence, selectOccurrences } from '../../../src/editor/commands/search/occurrences.ts';
import { closedChips } from '../../../src/editor/commands/search/shown.ts';
import { openReplace, openSearch } from '../../../src/editor/commands/search.ts';
import { fakeProvider } from '../complete/offers.ts';
import { editorOf } from '../fixture.ts';

const names: Record<string, Person> = {
  pavel: { accountId: 'pavel', name: 'Pavel Novák', avatar: '' },
  mia: { accountId: 'mia', name: 'Mia Krystof', avatar: '' },
};
const provider = fakeProvider({ person: id => names[id] ?? null });

let view: EditorView;
afterEach(() => view.destroy());

function open(doc: string) {
  view = editorOf(doc, { provider });
  view.dispatch({ selection: { anchor: 0 } });
  openReplace(view);
}

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
function write(name: string, text: string) {
  field(name).value = text;
  field(name).dispatchEvent(new Event('input'));
}
const click = (name: string) => screen.getByRole('button', { name }).click();
const note = () => view.dom.querySelector('.cm-search-note')?.textContent;
const count = () => view.dom.querySelector('.cm-search-count')?.textContent;
const text = () => view.state.doc.toString();
const selected = () => view.state.selection.ranges.map(({ from, to }) => view.state.sliceDoc(from, to));

const DOC = '- Ask [~accountid:pavel] by 2026-11-27, pavel\n- [ON HOLD] wait for Pavel and :tada:';

test.each([
  ['pavel', '1 of 3', '[~accountid:pavel]'],
  ['accountid', 'No matches', ''],
  ['27 Nov', '1 of 1', '2026-11-27'],
  ['2026-11-27', '1 of 1', '2026-11-27'],
  ['2026', 'No matches', ''],
  ['on hold', '1 of 1', '[ON HOLD]'],
  ['tada', '1 of 1', ':tada:'],
  ['novák by', '1 of 1', '[~accountid:pavel] by'],
  ['\\n', '1 of 1', '\n'],
])('%j is found as it is shown, in place: %s', (query, counted, found) => {
  open(DOC);
  write('Find', query);
  expect(count()).toBe(counted);
  expect(selected()).toEqual([found]);
});

test('the count follows the selected match, round the end of the text', () => {
  open('- wash\n- dry\n- wash\n- wash');
  write('Find', 'wash');
  expect(count()).toBe('1 of 3');
  click('Next');
  expect(count()).toBe('2 of 3');
  click('Previous');
  click('Previous');
  expect(count()).toBe('3 of 3');
  view.dispatch({ selection: { anchor: 0 } });
  expect(count()).toBe('3 matches');
  view.dispatch({ changes: { from: 2, to: 6, insert: 'dry' } });
  expect(count()).toBe('2 matches');
});

test('what is typed further selects from where the search began', () => {
  open('- as\n- wash\n- was');
  view.dispatch({ selection: { anchor: 6 } });
  write('Find', 'a');
  write('Find', 'as');
  expect(view.state.selection.main.from).toBe(8);
  write('Find', 'was');
  expect(view.state.selection.main.from).toBe(7);
});

test('a count is announced when typing pauses', async () => {
  open('- wash');
  write('Find', 'w');
  write('Find', 'wash');
  expect(screen.getByRole('status', { hidden: true })).toHaveTextContent('');
  await vi.waitFor(() => expect(screen.getByRole('status', { hidden: true })).toHaveTextContent('1 of 1'));
});

test('above a thousand matches are not counted', () => {
  open('- wash\n'.repeat(1200));
  write('Find', 'wash');
  expect(count()).toBe('1 of 1,000+');
});

test('a part of a chip is left when all is replaced, and says so', () => {
  open(DOC);
  write('Find', 'pavel');
  write('Replace', 'Petr');
  click('Replace all');
  expect(text()).toBe('- Ask [~accountid:pavel] by 2026-11-27, Petr\n- [ON HOLD] wait for Petr and :tada:');
  expect(note()).toBe("2 replaced. 1 match is part of a chip and wasn't replaced.");
  expect(count()).toBe('1 of 1');
});

test('Replace goes on over a part of a chip', () => {
  open(DOC);
  write('Find', 'pavel');
  write('Replace', 'Petr');
  click('Replace');
  expect(text()).toBe(DOC);
  expect(selected()).toEqual(['pavel']);
  click('Replace');
  expect(text()).toBe(DOC.replace(', pavel', ', Petr'));
  expect(selected()).toEqual(['Pavel']);
});

test('a whole chip is replaced, and an expression keeps the chips in its groups', () => {
  open(DOC);
  write('Find', '2026-11-27');
  write('Replace', '2026-12-01');
  click('Replace all');
  expect(text()).toContain('by 2026-12-01,');
  screen.getByRole('checkbox', { name: 'Regular expression' }).click();
  write('Find', '^- (Ask .*) by');
  write('Replace', '+ **$1** $$ by');
  click('Replace all');
  expect(text().split('\n')[0]).toBe('+ **Ask [~accountid:pavel]** $ by 2026-12-01, pavel');
  write('Find', '(');
  expect(count()).toBe('Not a valid regular expression');
});

test('a selected chip is searched by what it shows', () => {
  open(DOC);
  const from = DOC.indexOf('[~');
  view.focus();
  view.dispatch({ selection: { anchor: from, head: from + '[~accountid:pavel]'.length } });
  openSearch(view);
  expect(field('Find').value).toBe('@Pavel Novák');
});

test('the next occurrence is never inside a chip', () => {
  open('- mia [~accountid:mia] mia\n- 27 2026-11-27 :mia: mia');
  view.dispatch({ selection: { anchor: 3 } });
  for (let i = 0; i < 5; i++) selectNextOccurrence(view);
  expect(view.state.selection.ranges.map(({ from }) => from)).toEqual([2, 23, 49]);
  view.dispatch({ selection: { anchor: 6, head: 22 } });
  expect(selectOccurrences(view)).toBe(true);
  expect(selected()).toEqual(['[~accountid:mia]']);
  view.dispatch({ selection: { anchor: 6 } });
  selectNextOccurrence(view);
  expect(selected()).toEqual(['[~accountid:mia]']);
});

const pieces = [
  '[~accountid:mia]',
  '[~accountid:pavel]',
  '2026-11-27',
  ':tada:',
  '[ON HOLD] ',
  'mia',
  '27',
  ' ',
  '\n',
  '- ',
];
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map(parts => parts.join(''));

test('whatever is searched, no match begins or ends inside a chip, and replacing all keeps or removes chips whole', () => {
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom('mia', 'a', '27', 'Nov', '@', '[', ':', '.+', '1', 'acc', 'hold'),
      fc.boolean(),
      (doc, query, regexp) => {
        open(doc);
        try {
          if (regexp && query !== '[') screen.getByRole('checkbox', { name: 'Regular expression' }).click();
          write('Find', query);
          const inside = (position: number) =>
            closedChips(view.state, 0, view.state.doc.length).some(({ from, to }) => position > from && position < to);
          click('Select all matches');
          for (const { from, to } of view.state.selection.ranges) expect(inside(from) || inside(to)).toBe(false);
          write('Replace', '');
          const ids = text().match(/\[~accountid:\w+\]/g) ?? [];
          click('Replace all');
          const left = text().match(/\[~accountid:\w+\]/g) ?? [];
          expect(text().match(/accountid/g)?.length ?? 0).toBe(left.length);
          expect(ids.length).toBeGreaterThanOrEqual(left.length);
        } finally {
          view.destroy();
        }
      },
    ),
    { numRuns: 40 },
  );
});
