import { SearchQuery } from '@codemirror/search';
import type { EditorView, Panel, ViewUpdate } from '@codemirror/view';
import { find as words } from '../../../domain/messages.ts';
import { redraw } from '../../chips/typed.ts';
import { button, element, icon } from '../../element.ts';
import { runKey } from '../command.ts';
import { type Count, countOf } from './matches.ts';

/** The actions of the panel; each is a command, too. */
export interface PanelActions {
  query(view: EditorView): SearchQuery;
  /** Sets a query and selects its first match behind the search's start. */
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

/** A checkbox as a button with a sign. */
function toggle(sign: string, label: string, changed: () => void): { input: HTMLInputElement; dom: HTMLElement } {
  const input = element('input', '');
  Object.assign(input, { type: 'checkbox', ariaLabel: label });
  input.addEventListener('change', changed);
  const dom = element('label', 'cm-search-icon');
  dom.title = label;
  const shown = element('span', '', sign);
  shown.ariaHidden = 'true';
  dom.append(input, shown);
  return { input, dom };
}

/** A button with a drawing. */
function tool(label: string, d: string, run: () => void): HTMLButtonElement {
  const toolButton = button('cm-search-icon', '', run);
  Object.assign(toolButton, { title: label, ariaLabel: label });
  toolButton.append(icon('cm-search-line', d));
  return toolButton;
}

/** The count is announced only after a pause, so that a screen reader does not talk over typing. */
const ANNOUNCE_DELAY_MS = 500;

/** The panel of find and replace above the text. */
export function createPanel(view: EditorView, actions: PanelActions): Panel {
  const find = field('search', words.find);
  find.setAttribute('main-field', 'true');
  const replace = field('replace', words.replace);
  const count = element('span', 'cm-search-count');
  const note = element('span', 'cm-search-note');
  const announcement = element('span', 'cm-search-said');
  announcement.role = 'status';
  const changed = () => {
    remark = '';
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
  const matchCase = toggle('Aa', words.matchCase, changed);
  const wholeWords = toggle('W', words.wholeWords, changed);
  const expression = toggle('.*', words.expression, changed);
  const noted = (text: string) => {
    remark = text;
    show();
  };
  const group = (name: string, ...parts: HTMLElement[]) => {
    const groupElement = element('div', `cm-search-${name}`);
    groupElement.append(...parts);
    return groupElement;
  };
  const replacing = group(
    'actions',
    button('cm-button', words.replace, () => noted(actions.replaceNext(view))),
    button('cm-button', words.replaceAll, () => noted(actions.replaceAll(view))),
  );
  const dom = element('div', 'cm-search');
  dom.role = 'search';
  dom.ariaLabel = words.panel;
  dom.append(
    group('find', find, count),
    group(
      'steps',
      tool(words.previous, 'M4 10l4-4 4 4', () => actions.previous(view)),
      tool(words.next, 'M4 6l4 4 4-4', () => actions.next(view)),
      tool(words.selectAll, 'M2.5 4h11M2.5 8h11M2.5 12h11', () => actions.selectAll(view)),
    ),
    group('toggles', matchCase.dom, wholeWords.dom, expression.dom),
    tool(words.close, 'M4 4l8 8M12 4l-8 8', () => actions.close(view)),
    replace,
    replacing,
    note,
    announcement,
  );

  /** The message of the last replacement. It stays until the next step. */
  let remark = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    const query = actions.query(view);
    const counted = countText(query, countOf(view.state, query));
    if (count.textContent === counted && note.textContent === remark) return;
    count.textContent = counted;
    note.textContent = remark;
    find.ariaInvalid = query.search !== '' && !query.valid ? 'true' : null;
    clearTimeout(timer);
    timer = setTimeout(() => {
      announcement.textContent = [remark, counted].filter(Boolean).join(' ');
    }, ANNOUNCE_DELAY_MS);
  };
  /** Shows a query that a command set. */
  const take = (query: SearchQuery) => {
    if (find.value !== query.search) find.value = query.search;
    if (replace.value !== query.replace) replace.value = query.replace;
    matchCase.input.checked = query.caseSensitive;
    expression.input.checked = query.regexp;
    wholeWords.input.checked = query.wholeWord;
    replacing.hidden = view.state.readOnly;
    replace.hidden = view.state.readOnly;
  };

  find.addEventListener('input', changed);
  replace.addEventListener('input', changed);
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
      const hasEffects = update.transactions.some(({ effects }) => effects.length > 0);
      if (hasEffects) take(actions.query(view));
      const named = update.transactions.some(({ effects }) => effects.some(effect => effect.is(redraw)));
      if (update.docChanged || update.selectionSet || hasEffects || named) {
        if (update.selectionSet) remark = '';
        show();
      }
    },
    destroy: () => clearTimeout(timer),
  };
}
