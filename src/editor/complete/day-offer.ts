import { completionStatus } from '@codemirror/autocomplete';
import { type EditorState, type Extension, Facet, Prec, StateEffect, StateField } from '@codemirror/state';
import {
  type Command,
  EditorView,
  keymap,
  type Rect,
  showTooltip,
  type Tooltip,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { complete as words } from '../../domain/messages.ts';
import { checklistOf, rowAt } from '../checklist.ts';
import { button, element } from '../element.ts';
import { provider } from '../provider.ts';
import type { DayAtEnd } from './day-words.ts';
import { writtenDay } from './days.ts';

/**
 * Offers the day that the last words of a new item say, such as `by Friday`, as its due date: a line below them, which Tab
 * or a click takes. Without either nothing changes.
 */

interface Offer {
  /** The words that say the day. */
  from: number;
  to: number;
  day: string;
}

const setOffer = StateEffect.define<Offer | null>();

/** The words of the item that the cursor is at the end of, as long as it has neither date nor details. */
function wordsBefore(state: EditorState): { start: number; text: string } | undefined {
  const { head, empty } = state.selection.main;
  const placed = empty ? rowAt(checklistOf(state), state.doc.lineAt(head).from) : undefined;
  if (placed?.row.kind !== 'checkbox' || placed.row.dueDate !== undefined || placed.row.details.length > 0)
    return undefined;
  const { from, to } = placed.row.content;
  if (head !== placed.start + to) return undefined;
  return { start: placed.start + from, text: state.sliceDoc(placed.start + from, head) };
}

/** The lines on screen that an item has, at the words that say the day: the offer covers none of them. */
function linesOf(view: EditorView, { from, to }: Offer): Rect | null {
  const [words, start, end] = [from, view.state.doc.lineAt(from).from, to].map(at => view.coordsAtPos(at));
  return words ? { ...words, top: start?.top ?? words.top, bottom: end?.bottom ?? words.bottom } : null;
}

/** Above all of a window, where no tooltip shows. */
const OUTSIDE: Rect = { left: 0, right: 0, top: -10_000, bottom: -10_000 };

const tooltip = (offer: Offer, today: string): Tooltip => ({
  pos: offer.from,
  above: false,
  create: view => {
    const dom = button('cm-day-offer', words.dueOffer(writtenDay(offer.day, today)), () => take(view));
    dom.tabIndex = -1;
    dom.append(element('kbd', '', 'Tab'));
    // The text keeps the focus.
    dom.addEventListener('mousedown', event => event.preventDefault());
    return { dom, getCoords: () => linesOf(view, offer) ?? OUTSIDE };
  },
});

const field = StateField.define<Offer | null>({
  create: () => null,
  update(offer, { effects, docChanged, selection }) {
    for (const effect of effects) if (effect.is(setOffer)) return effect.value;
    return docChanged || selection ? null : offer;
  },
  provide: offers =>
    showTooltip.computeN([offers], state => {
      const offer = state.field(offers);
      return [offer && tooltip(offer, state.facet(provider).today())];
    }),
});

/** The day that is offered, as `yyyy-mm-dd`. */
export const offeredDay = (state: EditorState): string | undefined => state.field(field, false)?.day;

/** Takes the offered day in place of its words. */
const take: Command = view => {
  const offer = view.state.field(field);
  if (!offer || view.state.readOnly) return false;
  const { from, to, day } = offer;
  view.dispatch({
    changes: { from, to, insert: day },
    selection: { anchor: from + day.length },
    effects: EditorView.announce.of(words.dueTaken(writtenDay(day, view.state.facet(provider).today()))),
    userEvent: 'input.complete',
  });
  return true;
};

const decline: Command = view => {
  if (!view.state.field(field)) return false;
  view.dispatch({ effects: setOffer.of(null) });
  return true;
};

/** Whether days are offered: asked at each key, since the application may learn of it later. */
const isOffering = Facet.define<() => boolean>();

/** The day that an item's words say at their end; `undefined` if the words say nothing else: a day alone is no item. */
async function findDay(text: string, today: string): Promise<DayAtEnd | undefined> {
  if (!/\p{L}/u.test(text)) return undefined;
  // Without the chunk there is no offer: the list behind `//` says that it failed.
  const { dayAtEnd } = await import('./day-words.ts').catch(() => ({ dayAtEnd: undefined }));
  const dayFound = dayAtEnd?.(text, today);
  return dayFound && /[\p{L}\p{N}]/u.test(text.slice(0, dayFound.from)) ? dayFound : undefined;
}

/** Whether words say a day at their end, which is offered in an editor. `today` as `yyyy-mm-dd`. */
export const saysDay = async (text: string, today: string): Promise<boolean> =>
  (await findDay(text, today)) !== undefined;

/**
 * Offers the day of the words before the cursor, in an editor that has replaced the plain field in which they were
 * typed.
 */
export const offerDay = (view: EditorView): void => view.plugin(search)?.look(view);

/** Looks for a day in what was typed. */
const search = ViewPlugin.fromClass(
  class {
    update({ view, docChanged, transactions }: ViewUpdate) {
      const isTyped = docChanged && transactions.some(transaction => transaction.isUserEvent('input.type'));
      if (isTyped) this.look(view);
    }

    look(view: EditorView): void {
      const { state } = view;
      if (view.composing || state.readOnly || !state.facet(isOffering).some(isOn => isOn())) return;
      const typed = wordsBefore(state);
      if (typed) void this.offer(view, typed);
    }

    async offer(view: EditorView, { start, text }: { start: number; text: string }) {
      const { doc } = view.state;
      const today = view.state.facet(provider).today();
      const dayFound = await findDay(text, today);
      if (!dayFound || view.state.doc !== doc || !view.hasFocus) return;
      const offer = { from: start + dayFound.from, to: start + text.length, day: dayFound.day };
      view.dispatch({
        effects: [setOffer.of(offer), EditorView.announce.of(words.dueAnnounced(writtenDay(dayFound.day, today)))],
      });
    }
  },
);

const look = EditorView.theme({
  '.cm-tooltip.cm-day-offer': {
    display: 'flex',
    gap: '8px',
    padding: '4px 8px',
    font: 'inherit',
    maxWidth: '92vw',
    fontSize: '12px',
    cursor: 'pointer',
  },
  '@media (hover: none)': { '.cm-day-offer kbd': { display: 'none' } },
  '.cm-day-offer kbd': { color: 'var(--ds-text-subtle, #505258)', fontFamily: 'inherit' },
});

/** Offers of days, while the function says so. */
export const dayOffers = (isOn: () => boolean): Extension => [
  isOffering.of(isOn),
  field,
  search,
  Prec.highest(
    keymap.of([
      // A list that is open has the key.
      { key: 'Tab', run: view => completionStatus(view.state) !== 'active' && take(view) },
      { key: 'Escape', run: decline, stopPropagation: true },
    ]),
  ),
  look,
];
