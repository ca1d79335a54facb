import { SearchQuery } from '@codemirror/search';
import type { EditorView, Panel, ViewUpdate } from '@codemirror/view';
import { find as words } from '../../../domain/messages.ts';
import { redraw } from '../../chips/typed.ts';
import { button, element } from '../../element.ts';
import { runKey } from '../command.ts';
import { type Count, countOf } from './matches.ts';

/** What the panel does; each is a command, too. */
export interface PanelActions {
  query(view: EditorView): SearchQuery;
  /** Sets a query and selects its first match from where the search began. */
  search(view: EditorView, query: SearchQuery): void;
  next(view: EditorView): boolean;
  previous(view: EditorView): boolean;
  selectAll(view: EditorView): boolean;
  replaceNext(view: EditorView): string;
  replaceAll(view: EditorView): string;
  close(view: EditorView): boolean;
}

/** `3 of 8`, as far as they are counted. */
function countText(query: SearchQuery, { all, more, selected }: Count): string {
  if (query.search === '') return '';
  if (!query.valid) return words.invalid;
  if (all === 0) return words.none;
  const total = `${all.toLocaleString('en')}${more ? '+' : ''}`;
  return selected === undefined ? words.matches(total, all) : words.place(selected.toLocaleString('en'), total);
}

function field(name: string, label: string): HTMLInputElement {
  const input = element('input', 'cm-textfield');
  Object.assign(input, { name, placeholder: label, ariaLabel: label, autocomplete: 'off', spellcheck: false });
  return input;
}

function toggle(label: string, changed: () => void): { input: HTMLInputElement; dom: HTMLElement } {
  const input = element('input', '');
  input.type = 'checkbox';
  input.addEventListener('change', changed);
  const dom = element('label', '');
  dom.append(input, label);
  return { input, dom };
}

/** Milliseconds after which the count is announced: typing goes on without being talked over. */
const ANNOUNCED = 500;

/** The panel of find and replace above the text. */
export function createPanel(view: EditorView, actions: PanelActions): Panel {
  const find = field('search', words.find);
  find.setAttribute('main-field', 'true');
  const replace = field('replace', words.replace);
  const count = element('span', 'cm-search-count');
  const said = element('span', 'cm-search-said');
  said.role = 'status';
  const changed = (note = '') => {
    remark = note;
    actions.search(
      view,
      new SearchQuery({
        search: find.value,
        replace: replace.value,
        caseSensitive: matchCase.input.checked,
        regexp: expression.input.checked,
        wholeWord: wholeWords.input.checked,
      }),
    );
    show();
  };
  const matchCase = toggle(words.matchCase, () => changed());
  const expression = toggle(words.expression, () => changed());
  const wholeWords = toggle(words.wholeWords, () => changed());
  const replacing = element('div', 'cm-search-row');
  const close = button('cm-search-close', '×', () => actions.close(view));
  close.name = 'close';
  close.ariaLabel = words.close;
  const rows = element('div', 'cm-search-row');
  const noted = (note: string) => {
    remark = note;
    show();
  };
  rows.append(
    find,
    count,
    button('cm-button', words.previous, () => actions.previous(view)),
    button('cm-button', words.next, () => actions.next(view)),
    button('cm-button', words.selectAll, () => actions.selectAll(view)),
    matchCase.dom,
    expression.dom,
    wholeWords.dom,
  );
  replacing.append(
    replace,
    button('cm-button', words.replace, () => noted(actions.replaceNext(view))),
    button('cm-button', words.replaceAll, () => noted(actions.replaceAll(view))),
  );
  const dom = element('div', 'cm-search');
  dom.role = 'search';
  dom.ariaLabel = words.panel;
  dom.append(rows, replacing, said, close);

  /** What the last replacement says. It stays until the next step. */
  let remark = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    const query = actions.query(view);
    const text = [remark, countText(query, countOf(view.state, query))].filter(Boolean).join(' ');
    if (count.textContent === text) return;
    count.textContent = text;
    find.ariaInvalid = query.search !== '' && !query.valid ? 'true' : null;
    clearTimeout(timer);
    timer = setTimeout(() => {
      said.textContent = text;
    }, ANNOUNCED);
  };
  /** Shows a query that a command set. */
  const take = (query: SearchQuery) => {
    if (find.value !== query.search) find.value = query.search;
    if (replace.value !== query.replace) replace.value = query.replace;
    matchCase.input.checked = query.caseSensitive;
    expression.input.checked = query.regexp;
    wholeWords.input.checked = query.wholeWord;
    replacing.hidden = view.state.readOnly;
  };

  find.addEventListener('input', () => changed());
  replace.addEventListener('input', () => changed());
  dom.addEventListener('keydown', event => {
    // Keys of an input method are not commands.
    if (event.isComposing) return;
    runKey(view, event, 'search-panel');
    if (event.defaultPrevented || event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (event.target === replace) noted(actions.replaceNext(view));
    else if (event.altKey) actions.selectAll(view);
    else if (event.shiftKey) actions.previous(view);
    else actions.next(view);
  });
  take(actions.query(view));
  return {
    dom,
    top: true,
    mount: () => {
      find.select();
      show();
    },
    update: (update: ViewUpdate) => {
      const asked = update.transactions.some(({ effects }) => effects.length > 0);
      if (asked) take(actions.query(view));
      const named = update.transactions.some(({ effects }) => effects.some(effect => effect.is(redraw)));
      if (update.docChanged || update.selectionSet || asked || named) {
        if (update.selectionSet) remark = '';
        show();
      }
    },
    destroy: () => clearTimeout(timer),
  };
}
