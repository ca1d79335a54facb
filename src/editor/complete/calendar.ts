import { EditorSelection, type EditorState, type Extension, Facet, StateEffect, StateField } from '@codemirror/state';
import { type Command, EditorView, showTooltip, type Tooltip } from '@codemirror/view';
import { complete as words } from '../../domain/messages.ts';
import { isIsoDay } from '../../text/references.ts';
import { provider } from '../provider.ts';
import { spaceBehind } from './option.ts';
import { cancelPicker, leavePicker } from './picker.ts';

/** The days and callbacks of a calendar. */
export interface CalendarRequest {
  /** The day that it opens at, and today's, as `yyyy-mm-dd`. */
  day: string;
  today: string;
  pick(day: string): void;
  /** Closes it without a day; the keyboard goes back to the text. */
  close(): void;
}

/** Puts a calendar into an element, takes the focus there, and answers with what removes it. */
export type MountCalendar = (parent: HTMLElement, request: CalendarRequest) => () => void;

/** The calendar that the list of dates ends with; without one it has no such entry. */
export const calendar = Facet.define<MountCalendar, MountCalendar | undefined>({ combine: given => given[0] });

/** The range that a picked day replaces, and how the day is written there. */
interface DayTarget {
  from: number;
  to: number;
  day: string;
  write(day: string): string;
}

const setTarget = StateEffect.define<DayTarget | null>({
  map: (place, changes) => place && moved(place, changes.mapPos(place.from, 1), changes.mapPos(place.to, -1)),
});

const moved = (place: DayTarget, from: number, to: number): DayTarget => ({ ...place, from, to: Math.max(from, to) });

const field = StateField.define<DayTarget | null>({
  create: () => null,
  update: (place, { changes, effects }) => {
    for (const effect of effects) if (effect.is(setTarget)) return effect.value;
    return place && (changes.empty ? place : moved(place, changes.mapPos(place.from, 1), changes.mapPos(place.to, -1)));
  },
  provide: places => showTooltip.compute([places], state => popover(state.field(places))),
});

/** One tooltip while a calendar is open, though its position moves: the popover's content must not be recreated. */
const popovers = new WeakMap<DayTarget['write'], Tooltip['create']>();

function popover(place: DayTarget | null): Tooltip | null {
  if (!place) return null;
  const create = popovers.get(place.write) ?? (view => created(view, place.day));
  popovers.set(place.write, create);
  return { pos: place.from, above: false, create };
}

function created(view: EditorView, day: string) {
  const dom = document.createElement('div');
  dom.className = 'cm-complete-calendar';
  dom.role = 'dialog';
  dom.ariaLabel = words.pickDay;
  const close = () => {
    // Focus first: what takes the focus away while it is in there would close it once more.
    view.focus();
    view.dispatch({ effects: setTarget.of(null) });
    cancelPicker(view);
  };
  const pick = (picked: string) => {
    const place = view.state.field(field);
    if (!place || view.state.readOnly || !isIsoDay(picked)) return close();
    view.state.facet(provider).used?.('days', picked);
    const text = place.write(picked);
    const insert = spaceBehind(view.state, place.to) ? `${text} ` : text;
    view.focus();
    view.dispatch({
      changes: { from: place.from, to: place.to, insert },
      selection: EditorSelection.cursor(place.from + insert.length),
      effects: setTarget.of(null),
      userEvent: 'input.complete',
      scrollIntoView: true,
    });
  };
  dom.addEventListener('keydown', event => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    close();
  });
  dom.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && dom.contains(relatedTarget)) return;
    // Rerendering a calendar drops the focus for a moment; an unfocused window gets it back later.
    setTimeout(() => {
      if (!document.hasFocus() || dom.contains(document.activeElement)) return;
      if (closeCalendar(view) && !view.hasFocus) leavePicker(view);
    });
  });
  let remove: (() => void) | undefined;
  return {
    dom,
    mount: () => {
      remove = view.state.facet(calendar)?.(dom, {
        day,
        today: view.state.facet(provider).today(),
        pick,
        close,
      });
    },
    destroy: () => remove?.(),
  };
}

export const isCalendarOpen = (state: EditorState): boolean => Boolean(state.field(field, false));

/** Takes the calendar away; a command for Escape in the text, where the keyboard is until the calendar has come. */
export const closeCalendar: Command = view => {
  if (!view.state.field(field, false)) return false;
  view.dispatch({ effects: setTarget.of(null) });
  return true;
};

/** Opens the calendar at a place of the text. */
export const openCalendar = (view: EditorView, place: DayTarget): void =>
  view.dispatch({ effects: setTarget.of({ ...place, write: day => place.write(day) }) });

/** Shows the calendar that is asked for. A click into the text closes it. */
export const calendars: Extension = [
  field,
  EditorView.domEventHandlers({
    focus: (_event, view) => {
      if (view.state.field(field)) setTimeout(() => closeCalendar(view));
      return false;
    },
  }),
];
