import { SearchQuery } from '@codemirror/search';
import {
  EditorSelection,
  type EditorState,
  type Extension,
  type Range,
  StateEffect,
  StateField,
  type TransactionSpec,
} from '@codemirror/state';
import {
  type Command,
  Decoration,
  type DecorationSet,
  EditorView,
  showPanel,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { find as words } from '../../domain/messages.ts';
import { MAX_COUNTED_MATCHES, type Match, matchBefore, matchesOf, matchFrom } from './search/matches.ts';
import { createPanel } from './search/panel.ts';
import { closedChips, shownSlice } from './search/shown.ts';
import { searchTheme } from './search/theme.ts';

interface Searching {
  open: boolean;
  query: SearchQuery;
  /** The position at which the search began: a longer query selects matches from there on. */
  origin: number;
}

const setSearching = StateEffect.define<Partial<Searching>>();

/** The user event of a selection that typing in the panel makes. */
const TYPED_EVENT = 'select.search.typed';

const field: StateField<Searching> = StateField.define<Searching>({
  create: ({ selection }) => ({ open: false, query: new SearchQuery({ search: '' }), origin: selection.main.from }),
  update: (before, transaction) => {
    let searching = before;
    if (transaction.docChanged) {
      searching = { ...searching, origin: transaction.changes.mapPos(searching.origin) };
    }
    if (transaction.selection && !transaction.isUserEvent(TYPED_EVENT)) {
      searching = { ...searching, origin: transaction.newSelection.main.from };
    }
    for (const effect of transaction.effects)
      if (effect.is(setSearching)) searching = { ...searching, ...effect.value };
    return searching;
  },
  provide: searching => showPanel.from(searching, ({ open }) => (open ? panel : null)),
});

/** Whether find and replace is open. */
export const isSearching = (state: EditorState): boolean => state.field(field, false)?.open ?? false;

/** Selects a match and moves it into view. */
const selecting = ({ from, to }: Match, userEvent = 'select.search'): TransactionSpec => ({
  selection: EditorSelection.single(from, to),
  effects: EditorView.scrollIntoView(EditorSelection.range(from, to), { y: 'nearest', yMargin: 40 }),
  userEvent,
});

/** Whether replacing changes a match: a part of a chip is not replaced. */
const isReplaced = ({ part }: Match) => !part;

const actions = {
  query: (view: EditorView) => view.state.field(field).query,
  search(view: EditorView, query: SearchQuery) {
    const { origin, query: before } = view.state.field(field);
    const effects = setSearching.of({ query });
    const sought = before.search !== query.search || !sameScope(before, query);
    const match = sought && query.search !== '' ? matchFrom(view.state, query, origin) : undefined;
    if (!match) return view.dispatch({ effects });
    const { effects: scroll, ...spec } = selecting(match, TYPED_EVENT);
    return view.dispatch({ ...spec, effects: [effects, scroll as StateEffect<unknown>] });
  },
  next(view: EditorView) {
    const { query } = view.state.field(field);
    if (query.search === '') return openSearch(view);
    const match = matchFrom(view.state, query, view.state.selection.main.to);
    if (match) view.dispatch(selecting(match));
    return true;
  },
  previous(view: EditorView) {
    const { query } = view.state.field(field);
    if (query.search === '') return openSearch(view);
    const match = matchBefore(view.state, query, view.state.selection.main.from);
    if (match) view.dispatch(selecting(match));
    return true;
  },
  selectAll(view: EditorView) {
    const ranges = [];
    for (const { from, to } of matchesOf(view.state, view.state.field(field).query)) {
      ranges.push(EditorSelection.range(from, to));
      if (ranges.length === MAX_COUNTED_MATCHES) break;
    }
    if (ranges.length === 0) return false;
    view.dispatch({ selection: EditorSelection.create(ranges), userEvent: 'select.search.matches' });
    view.focus();
    return true;
  },
  replaceNext(view: EditorView): string {
    const { state } = view;
    const { query } = state.field(field);
    const { from, to } = state.selection.main;
    const match = matchFrom(state, query, from);
    if (state.readOnly || !match) return '';
    if (match.from !== from || match.to !== to) {
      view.dispatch(selecting(match));
      return '';
    }
    if (isReplaced(match)) {
      const insert = match.replacement();
      view.dispatch({
        changes: { from, to, insert },
        selection: EditorSelection.cursor(from + insert.length),
        userEvent: 'input.replace',
      });
    }
    const next = matchFrom(view.state, query, view.state.selection.main.to);
    if (next) view.dispatch(selecting(next));
    return isReplaced(match) ? words.replaced(1) : words.inChips(1);
  },
  replaceAll(view: EditorView): string {
    const { state } = view;
    if (state.readOnly) return '';
    const matches = [...matchesOf(state, state.field(field).query)];
    const changes = matches
      .filter(isReplaced)
      .map(match => ({ from: match.from, to: match.to, insert: match.replacement() }));
    if (changes.length > 0) view.dispatch({ changes, userEvent: 'input.replace.all' });
    const matchesInChips = matches.length - changes.length;
    return [words.replaced(changes.length), ...(matchesInChips > 0 ? [words.inChips(matchesInChips)] : [])].join(' ');
  },
  close(view: EditorView): boolean {
    if (!isSearching(view.state)) return false;
    view.dispatch({ effects: setSearching.of({ open: false }) });
    view.focus();
    return true;
  },
};

/** One function for every state: another one would make another panel. */
const panel = (view: EditorView) => createPanel(view, actions);

const sameScope = (one: SearchQuery, other: SearchQuery) =>
  one.caseSensitive === other.caseSensitive && one.regexp === other.regexp && one.wholeWord === other.wholeWord;

/** The maximum number of characters of a selection that become a query. */
const MAX_QUERY_CHARS = 200;

/** Opens find and replace, or goes to its first field, with the selected text as the query. */
export const openSearch: Command = view => {
  const { state } = view;
  const { main } = state.selection;
  const { open, query } = state.field(field);
  const selected = main.empty || main.to - main.from > MAX_QUERY_CHARS ? '' : shownSlice(state, main.from, main.to);
  const seed = selected.includes('\n') ? '' : selected;
  const fromText = view.hasFocus && seed !== '';
  const { replace, caseSensitive, wholeWord } = query;
  const seeded = fromText ? new SearchQuery({ search: seed, replace, caseSensitive, wholeWord }) : query;
  view.dispatch({ effects: setSearching.of({ open: true, query: seeded, origin: main.from }) });
  if (open) view.dom.querySelector<HTMLInputElement>('.cm-search [name=search]')?.select();
  return true;
};

/** Opens the panel with the cursor in the second field. */
export const openReplace: Command = view => {
  openSearch(view);
  view.dom.querySelector<HTMLInputElement>('.cm-search [name=replace]')?.select();
  return true;
};

export const closeSearch: Command = actions.close;
export const findNext: Command = actions.next;
export const findPrevious: Command = actions.previous;
export const selectMatches: Command = actions.selectAll;

const matchLook = Decoration.mark({ class: 'cm-searchMatch' });
const selectedLook = Decoration.mark({ class: 'cm-searchMatch cm-searchMatch-selected' });

/** The matches of the visible lines. */
function visibleMatches({ state, visibleRanges }: EditorView): DecorationSet {
  const { open, query } = state.field(field);
  const ranges: Range<Decoration>[] = [];
  if (!open || !query.valid) return Decoration.none;
  for (const { from, to } of visibleRanges) {
    // A chip at the first visible position may begin before it.
    const start = closedChips(state, from, from)[0]?.from ?? from;
    for (const match of matchesOf(state, query, Math.min(start, from))) {
      if (match.from >= to) break;
      const last = ranges.at(-1);
      if (last && match.from < last.to) continue;
      const selected = state.selection.ranges.some(range => range.from === match.from && range.to === match.to);
      ranges.push((selected ? selectedLook : matchLook).range(match.from, match.to));
    }
  }
  return Decoration.set(ranges);
}

const highlighter = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = visibleMatches(view);
    }

    update({ view, state, startState, docChanged, selectionSet, viewportChanged, transactions }: ViewUpdate) {
      const hasNewQuery =
        state.field(field) !== startState.field(field) || transactions.some(one => one.effects.length > 0);
      if (docChanged || selectionSet || viewportChanged || hasNewQuery) this.decorations = visibleMatches(view);
    }
  },
  { decorations: plugin => plugin.decorations },
);

/** Find and replace above the text. It searches what chips show, and replaces no part of a chip. */
export const finding: Extension = [field, highlighter, searchTheme];
