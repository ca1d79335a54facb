import { type EditorSelection, type EditorState, type Extension, type Range, StateEffect } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { type EmojiTable, loadEmoji } from '../text/emoji.ts';
import { checklistOf, rowsBetween } from './checklist.ts';
import { type Chip, chipsOf } from './chips/chip.ts';
import { type ChipContent, type ChipData, chipContent } from './chips/content.ts';
import { chipTheme } from './chips/theme.ts';
import { ChipWidget } from './chips/widget.ts';
import { compositionEnd } from './composition.ts';
import { type Provider, provider } from './provider.ts';

/**
 * Chips are off on Android: its keyboards compose most input and rewrite whole words beside the cursor, and nearby
 * widgets can make editors drop or reorder letters.
 */
const UNSUPPORTED = /Android/;

/** Milliseconds between date checks: the day may change while an editor is open. */
const DATE_CHECK_INTERVAL = 60_000;

/** Redraws all chips after a change outside the text. */
const redraw = StateEffect.define<null>();

const touches = ({ ranges }: EditorSelection, from: number, to: number) =>
  ranges.some(range => range.from <= to && range.to >= from);

/** The widget beside the text of a chip that must stay since a line begins with it. */
const beside = (face: ChipContent): ChipContent => (face.kind === 'issue' ? { ...face, words: '' } : face);

function decorate(chip: Chip, from: number, to: number, text: string, data: ChipData): Range<Decoration>[] {
  const face = chipContent(chip.meaning, data);
  if (!face) return [];
  if (!chip.first) return [Decoration.replace({ widget: new ChipWidget(face, text) }).range(from, to)];
  return [
    Decoration.mark({ class: `cm-chip-text cm-chip-${face.kind}` }).range(from, to),
    Decoration.widget({ widget: new ChipWidget(beside(face), text), side: 1 }).range(to),
  ];
}

/**
 * The chips of the rows in some ordered ranges. A chip touched by the cursor or selection shows its text, so that it
 * can be edited and no widget is beside the cursor.
 */
export function chipsBetween(
  state: EditorState,
  visible: readonly { from: number; to: number }[],
  data: ChipData,
): DecorationSet {
  const checklist = checklistOf(state);
  const ranges: Range<Decoration>[] = [];
  let last = -1;
  for (const { from, to } of visible) {
    for (const placed of rowsBetween(checklist, from, to)) {
      if (placed.index <= last) continue;
      last = placed.index;
      for (const chip of chipsOf(checklist, placed)) {
        const start = placed.start + chip.from;
        const end = placed.start + chip.to;
        if (touches(state.selection, start, end)) continue;
        ranges.push(...decorate(chip, start, end, checklist.text.slice(start, end), data));
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
      // Without it the codes stay what they are: text.
      () => undefined,
    );
  };
  return {
    person: accountId => attempt(() => source.person(accountId), undefined),
    issue: key => attempt(() => source.issue(key), undefined),
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
  private unsubscribe: () => void;
  private today: string;
  /** A mouse button is down: chips keep their layout, since a small move would select text. */
  private pressed: boolean;
  private refreshing: Promise<void> | undefined;
  private gone: boolean;

  constructor(view: EditorView) {
    this.view = view;
    this.pressed = false;
    this.gone = false;
    const source = view.state.facet(provider);
    this.data = dataOf(source, this.refresh);
    this.unsubscribe = source.subscribe(this.refresh);
    this.today = this.data.today();
    this.calendar = setInterval(() => {
      if (this.data.today() !== this.today) this.refresh();
    }, DATE_CHECK_INTERVAL);
    this.page = view.dom.ownerDocument.defaultView ?? window;
    for (const end of ['mouseup', 'dragend']) this.page.addEventListener(end, this.release);
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
    if (this.view.composing || this.pressed) {
      this.decorations = this.decorations.map(update.changes);
      if (!this.pressed) this.refresh();
      return;
    }
    const asked = update.transactions.some(({ effects }) => effects.some(effect => effect.is(redraw)));
    // Another reading of the same text: the statuses have changed.
    const read = checklistOf(update.state) !== checklistOf(update.startState);
    if (read || update.selectionSet || update.viewportChanged || asked) this.decorations = this.draw();
  }

  press() {
    this.pressed = true;
  }

  destroy() {
    this.gone = true;
    clearInterval(this.calendar);
    this.unsubscribe();
    for (const end of ['mouseup', 'dragend']) this.page.removeEventListener(end, this.release);
  }

  private draw(): DecorationSet {
    this.today = this.data.today();
    return chipsBetween(this.view.state, this.view.visibleRanges, this.data);
  }

  /** Redraws when no composition is active, once for several requests. */
  private readonly refresh = (): void => {
    this.refreshing ??= compositionEnd(this.view).then(() => {
      this.refreshing = undefined;
      if (!this.gone && !this.pressed) this.view.dispatch({ effects: redraw.of(null) });
    });
  };

  readonly release = () => {
    if (!this.pressed) return;
    this.pressed = false;
    this.refresh();
  };
}

const plugin = ViewPlugin.fromClass(Chips, {
  decorations: ({ decorations }) => decorations,
  eventObservers: {
    mousedown() {
      this.press();
    },
    mousemove({ buttons }) {
      // A release outside the window fired no event.
      if (buttons === 0) this.release();
    },
  },
});

/**
 * Chips for mentions, dates, issues, emoji and custom statuses in place of their text. A click or an arrow key shows
 * the text. No atomic ranges: one key moves by one character.
 */
export const chips: Extension = UNSUPPORTED.test(globalThis.navigator?.userAgent ?? '') ? [] : [plugin, chipTheme];
