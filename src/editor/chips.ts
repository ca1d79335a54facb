import { type EditorSelection, type EditorState, type Extension, type Range, StateEffect } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { type EmojiTable, loadEmoji } from '../text/emoji.ts';
import { checklistOf, rowsBetween } from './checklist.ts';
import { type Chip, chipsOf } from './chips/chip.ts';
import { type Face, faceOf, type World } from './chips/content.ts';
import { chipTheme } from './chips/theme.ts';
import { ChipWidget } from './chips/widget.ts';
import { settled } from './composition.ts';
import { type Provider, provider } from './provider.ts';

/**
 * Where chips are off. Android's keyboards compose most of what is typed and rewrite whole words beside the cursor; widgets
 * near by have made editors drop and reorder letters there. Until it is proven, the text shows as it is.
 */
const UNPROVEN = /Android/;

/** Milliseconds between two looks at the calendar: the day may change while an editor is open. */
const DAY_LOOK = 60_000;

/** Something outside the text has changed. */
const redraw = StateEffect.define<null>();

const touches = ({ ranges }: EditorSelection, from: number, to: number) =>
  ranges.some(range => range.from <= to && range.to >= from);

/** What stands beside a chip's text where that has to stay, because a line begins with it. */
const beside = (face: Face): Face => (face.look === 'issue' ? { ...face, words: '' } : face);

function decorate(chip: Chip, from: number, to: number, text: string, world: World): Range<Decoration>[] {
  const face = faceOf(chip.meaning, world);
  if (!face) return [];
  if (!chip.first) return [Decoration.replace({ widget: new ChipWidget(face, text) }).range(from, to)];
  return [
    Decoration.mark({ class: `cm-chip-text cm-chip-${face.look}` }).range(from, to),
    Decoration.widget({ widget: new ChipWidget(beside(face), text), side: 1 }).range(to),
  ];
}

/**
 * The chips of the rows that touch some ranges of a text, which are in order. Where the cursor or the selection touches
 * one, its text shows: what may be changed next can be read and reached character by character, and no widget stands
 * beside the cursor.
 */
export function chipsBetween(
  state: EditorState,
  visible: readonly { from: number; to: number }[],
  world: World,
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
        ranges.push(...decorate(chip, start, end, checklist.text.slice(start, end), world));
      }
    }
  }
  return Decoration.set(ranges);
}

/** An answer of code that is not the editor's own; where that fails, nobody knows. */
function attempt<T>(question: () => T, otherwise: T): T {
  try {
    return question();
  } catch {
    return otherwise;
  }
}

/** Asks a provider and, from the first emoji in sight on, the table. `loaded` is called when that is there. */
function worldOf(source: Provider, loaded: () => void): World {
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
  private world: World;
  private unsubscribe: () => void;
  private today: string;
  /** A mouse button is down: what changed its place now would be selected by the next small move. */
  private pressed: boolean;
  private refreshing: Promise<void> | undefined;
  private gone: boolean;

  constructor(view: EditorView) {
    this.view = view;
    this.pressed = false;
    this.gone = false;
    const source = view.state.facet(provider);
    this.world = worldOf(source, this.refresh);
    this.unsubscribe = source.subscribe(this.refresh);
    this.today = this.world.today();
    this.calendar = setInterval(() => {
      if (this.world.today() !== this.today) this.refresh();
    }, DAY_LOOK);
    this.page = view.dom.ownerDocument.defaultView ?? window;
    for (const end of ['mouseup', 'dragend']) this.page.addEventListener(end, this.release);
    this.decorations = this.draw();
  }

  update(update: ViewUpdate) {
    const source = update.state.facet(provider);
    if (source !== update.startState.facet(provider)) {
      this.unsubscribe();
      this.world = worldOf(source, this.refresh);
      this.unsubscribe = source.subscribe(this.refresh);
      this.refresh();
    }
    if (this.view.composing || this.pressed) {
      this.decorations = this.decorations.map(update.changes);
      if (!this.pressed) this.refresh();
      return;
    }
    const asked = update.transactions.some(({ effects }) => effects.some(effect => effect.is(redraw)));
    // Another reading of the same text: the statuses that it may name have changed.
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
    this.today = this.world.today();
    return chipsBetween(this.view.state, this.view.visibleRanges, this.world);
  }

  /** Draws anew as soon as nobody composes, once however often it is asked for. */
  private readonly refresh = (): void => {
    this.refreshing ??= settled(this.view).then(() => {
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
      // A release outside of the window was not told.
      if (buttons === 0) this.release();
    },
  },
});

/**
 * People, days, issues, emoji and custom statuses shown as what they are, in the place of their text. A click on a chip,
 * or an arrow key, lets the text show again. There are no atomic ranges: one key moves by one character, as anywhere.
 */
export const chips: Extension = UNPROVEN.test(globalThis.navigator?.userAgent ?? '') ? [] : [plugin, chipTheme];
