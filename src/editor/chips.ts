import { Compartment, type EditorState, type Extension, type Range, type TransactionSpec } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type { TextRange } from '../text/edits/format.ts';
import { type EmojiTable, loadEmoji } from '../text/emoji.ts';
import { checklistOf, rowsBetween } from './checklist.ts';
import { chipsOf } from './chips/chip.ts';
import { type ChipData, chipContent } from './chips/content.ts';
import { chipDropping } from './chips/drop.ts';
import { nameMarks } from './chips/name.ts';
import { chipSelecting } from './chips/select.ts';
import { chipTheme } from './chips/theme.ts';
import { redraw, typedChips } from './chips/typed.ts';
import { ChipWidget, type Selected } from './chips/widget.ts';
import { compositionEnd } from './composition.ts';
import { type Provider, provider } from './provider.ts';

/**
 * Whether only people show as what they are, by marks of their text. On Android, keyboards compose most input and rewrite
 * whole words beside the cursor, and nearby widgets can make editors drop or reorder letters.
 */
const isWithoutWidgets = (): boolean => /Android/.test(navigator.userAgent);

/** The day may change while an editor is open. */
const DATE_CHECK_INTERVAL_MS = 60_000;

/** How much of a chip is selected; `undefined` if a selection ends inside: only the text can show that. */
function selectedOf({ selection }: EditorState, { from, to }: TextRange): Selected | undefined {
  const within = (position: number) => position > from && position < to;
  if (selection.ranges.some(range => within(range.from) || within(range.to))) return undefined;
  const covering = selection.ranges.find(range => !range.empty && range.from <= from && range.to >= to);
  if (!covering) return 'no';
  return covering.from === from && covering.to === to ? 'alone' : 'covered';
}

/** The chips of the rows in some ordered ranges, except the chips that are being typed. */
export function chipsBetween(
  state: EditorState,
  visible: readonly TextRange[],
  data: ChipData,
  withoutWidgets = false,
): DecorationSet {
  const checklist = checklistOf(state);
  const typed = state.field(typedChips, false) ?? [];
  const ranges: Range<Decoration>[] = [];
  let last = -1;
  for (const { from, to } of visible) {
    for (const placed of rowsBetween(checklist, from, to)) {
      if (placed.index <= last) continue;
      last = placed.index;
      for (const chip of chipsOf(checklist, placed)) {
        const place = { from: placed.start + chip.from, to: placed.start + chip.to };
        if (typed.some(open => open.from < place.to && open.to > place.from)) continue;
        if (withoutWidgets && chip.meaning.kind !== 'person') continue;
        const selected = selectedOf(state, place);
        const face = selected && chipContent(chip.meaning, data);
        if (!face) continue;
        if (withoutWidgets) {
          ranges.push(...nameMarks(place, face, selected));
          continue;
        }
        const widget = new ChipWidget(face, checklist.text.slice(place.from, place.to), selected);
        ranges.push(Decoration.replace({ widget }).range(place.from, place.to));
      }
    }
  }
  return Decoration.set(ranges);
}

/** Calls provider code; `undefined` if it throws. */
function attempt<T>(question: () => T, otherwise: T): T {
  try {
    return question();
  } catch {
    return otherwise;
  }
}

/**
 * The data of chips: the provider's, and the emoji table, loaded with the first visible emoji. `loaded` is called when
 * it is there.
 */
function dataOf(source: Provider, loaded: () => void): ChipData {
  let table: EmojiTable | undefined;
  let load = () => {
    load = () => undefined;
    loadEmoji().then(
      found => {
        table = found;
        loaded();
      },
      // Without the table, codes are shown as text.
      () => undefined,
    );
  };
  return {
    person: accountId => attempt(() => source.person(accountId), undefined),
    issue: key => attempt(() => source.issue(key), undefined),
    isOwnAddress: address => attempt(() => source.isOwnAddress?.(address) ?? false, false),
    today: () => attempt(() => source.today(), ''),
    glyph: code => {
      load();
      return table?.glyph(code);
    },
  };
}

class Chips {
  decorations: DecorationSet;
  private readonly view: EditorView;
  private readonly page: Window;
  private readonly calendar: ReturnType<typeof setInterval>;
  private data: ChipData;
  private readonly withoutWidgets: boolean;
  private unsubscribe: () => void;
  private today: string;
  private refreshing: Promise<void> | undefined;
  private gone: boolean;

  constructor(view: EditorView) {
    this.view = view;
    this.gone = false;
    this.withoutWidgets = isWithoutWidgets();
    const source = view.state.facet(provider);
    this.data = dataOf(source, this.refresh);
    this.unsubscribe = source.subscribe(this.refresh);
    this.today = this.data.today();
    this.calendar = setInterval(() => {
      if (this.data.today() !== this.today) this.refresh();
    }, DATE_CHECK_INTERVAL_MS);
    this.page = view.dom.ownerDocument.defaultView ?? window;
    for (const end of ['mouseup', 'dragend']) this.page.addEventListener(end, this.released);
    this.decorations = this.draw();
  }

  update(update: ViewUpdate) {
    const source = update.state.facet(provider);
    if (source !== update.startState.facet(provider)) {
      this.unsubscribe();
      this.data = dataOf(source, this.refresh);
      this.unsubscribe = source.subscribe(this.refresh);
      this.refresh();
    }
    if (this.view.composing) {
      this.decorations = this.decorations.map(update.changes);
      this.refresh();
      return;
    }
    const isRedrawn = update.transactions.some(({ effects }) => effects.some(effect => effect.is(redraw)));
    // Another reading of the same text: the statuses have changed.
    const isReread = checklistOf(update.state) !== checklistOf(update.startState);
    if (isReread || update.selectionSet || update.viewportChanged || isRedrawn) this.decorations = this.draw();
  }

  destroy() {
    this.gone = true;
    clearInterval(this.calendar);
    this.unsubscribe();
    for (const end of ['mouseup', 'dragend']) this.page.removeEventListener(end, this.released);
  }

  private draw(): DecorationSet {
    this.today = this.data.today();
    return chipsBetween(this.view.state, this.view.visibleRanges, this.data, this.withoutWidgets);
  }

  /** A press that left a typed chip is over. */
  private readonly released = () => {
    if (this.view.state.field(typedChips).length > 0) this.refresh();
  };

  /** Redraws when no composition is active, once for several requests. */
  private readonly refresh = (): void => {
    this.refreshing ??= compositionEnd(this.view).then(() => {
      this.refreshing = undefined;
      if (!this.gone) this.view.dispatch({ effects: redraw.of(null) });
    });
  };
}

const plugin = ViewPlugin.fromClass(Chips, {
  decorations: ({ decorations }) => decorations,
  provide: chips => EditorView.atomicRanges.of(view => view.plugin(chips)?.decorations ?? Decoration.none),
});

/**
 * Chips for mentions, dates, issues, emoji, custom statuses and a header's marks in place of their text. The cursor steps over them, and
 * they are selected, deleted and replaced as a whole.
 */
export const chips: Extension = [typedChips, plugin, chipSelecting, chipDropping, chipTheme];

const plainCompartment = new Compartment();

/** Whether every character of the text shows as it is, or people, days and the like show as chips. */
export const plain = (on: boolean): Extension => plainCompartment.of(on ? [] : chips);

/** Switches it in an open editor. */
export const setPlain = (on: boolean): TransactionSpec => ({ effects: plainCompartment.reconfigure(on ? [] : chips) });
