import { ChangeSet, type EditorState, type Text } from '@codemirror/state';
import { dayWords } from '../../../domain/days.ts';
import { unknownPerson } from '../../../domain/person.ts';
import type { Checklist } from '../../../text/types.ts';
import { checklistOf } from '../../checklist.ts';
import { type Chip, chipsIn } from '../../chips/chip.ts';
import { typedChips } from '../../chips/typed.ts';
import { provider } from '../../provider.ts';

/** A chip in the shown text. */
interface Piece {
  chip: Chip;
  from: number;
  to: number;
}

/** The text as chips show it, which is what people search for. */
export interface ShownText {
  text: Text;
  pieces: readonly Piece[];
}

/** The words of a chip; `undefined` for a chip whose text is what people read, too. */
function wordsOf({ meaning }: Chip, nameOf: (accountId: string) => string, today: string): string | undefined {
  switch (meaning.kind) {
    case 'person':
      return nameOf(meaning.accountId);
    case 'day':
      return dayWords(meaning.day, today);
    case 'status':
      return meaning.status.name;
    case 'issue':
      return meaning.key;
  }
  return undefined;
}

/** Whether a chip hides its text. An issue's key is its name; its address is hidden if it is the tracker's own. */
function isClosed(state: EditorState, { meaning }: Chip): boolean {
  if (meaning.kind !== 'issue') return true;
  try {
    return meaning.address !== undefined && (state.facet(provider).isOwnAddress?.(meaning.address) ?? false);
  } catch {
    return false;
  }
}

/** The chips of a range that are no place for a match to begin or end in. */
export const closedChips = (state: EditorState, from: number, to: number): Chip[] =>
  state.field(typedChips, false) ? chipsIn(state, from, to).filter(chip => isClosed(state, chip)) : [];

/** Whether a range begins or ends inside a chip. */
export const cutsChip = (state: EditorState, from: number, to: number): boolean =>
  closedChips(state, from, to).some(chip => (chip.from < from && chip.to > from) || (chip.from < to && chip.to > to));

/** The last answer for a checklist, and whether the names in it are still the same. */
const shownTextOf = new WeakMap<Checklist, { shown: ShownText; isCurrent(state: EditorState): boolean }>();

/** The text as it is shown. */
export function shownText(state: EditorState): ShownText {
  const checklist = checklistOf(state);
  const cachedAnswer = shownTextOf.get(checklist);
  if (cachedAnswer?.isCurrent(state)) return cachedAnswer.shown;
  const names = new Map<string, string>();
  const nameOf = (accountId: string) => {
    const name = names.get(accountId) ?? personName(state, accountId);
    names.set(accountId, name);
    return name;
  };
  const today = dayOf(state);
  const typed = state.field(typedChips, false);
  const shown = readShown(state, nameOf, today);
  const isCurrent = (now: EditorState) =>
    now.field(typedChips, false) === typed &&
    dayOf(now) === today &&
    [...names].every(([accountId, name]) => personName(now, accountId) === name);
  shownTextOf.set(checklist, { shown, isCurrent });
  return shown;
}

/** The shown text of a mention. If a provider fails, the account id stays hidden all the same. */
function personName(state: EditorState, accountId: string): string {
  try {
    const person = state.facet(provider).person(accountId);
    return person === null ? unknownPerson : `@${person?.name ?? '…'}`;
  } catch {
    return '@…';
  }
}

function dayOf(state: EditorState): string {
  try {
    return state.facet(provider).today();
  } catch {
    return '';
  }
}

function readShown(state: EditorState, nameOf: (accountId: string) => string, today: string): ShownText {
  const { doc } = state;
  const changes: { from: number; to: number; insert: string }[] = [];
  const pieces: Piece[] = [];
  let shift = 0;
  for (const chip of closedChips(state, 0, doc.length)) {
    const words = wordsOf(chip, nameOf, today);
    const length = words?.length ?? chip.to - chip.from;
    const from = chip.from + shift;
    pieces.push({ chip, from, to: from + length });
    if (words !== undefined) changes.push({ from: chip.from, to: chip.to, insert: words });
    shift += length - (chip.to - chip.from);
  }
  return { text: changes.length === 0 ? doc : ChangeSet.of(changes, doc.length).apply(doc), pieces };
}

/** The last piece that begins before a position, which `startOf` says. */
function pieceBefore(pieces: readonly Piece[], position: number, startOf: (piece: Piece) => number): Piece | undefined {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const piece = pieces[middle];
    if (piece && startOf(piece) < position) low = middle + 1;
    else high = middle;
  }
  return pieces[low - 1];
}

/** Converts a position of the text to the shown text. */
export function shownPosition({ pieces }: ShownText, position: number): number {
  const piece = pieceBefore(pieces, position, ({ chip }) => chip.from);
  if (!piece) return position;
  return position < piece.chip.to ? piece.to : piece.to + position - piece.chip.to;
}

/**
 * Converts a position of the shown text to the text. A position inside a chip becomes the chip's start or end, by
 * `side`.
 */
export function positionIn({ pieces }: ShownText, position: number, side: -1 | 1): { at: number; inside: boolean } {
  const piece = pieceBefore(pieces, position, ({ from }) => from);
  if (!piece) return { at: position, inside: false };
  if (position < piece.to) return { at: side < 0 ? piece.chip.from : piece.chip.to, inside: true };
  return { at: piece.chip.to + position - piece.to, inside: false };
}

/** A part of the text as it is shown. */
export function shownSlice(state: EditorState, from: number, to: number): string {
  const shown = shownText(state);
  return shown.text.sliceString(shownPosition(shown, from), shownPosition(shown, to));
}
