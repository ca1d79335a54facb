import type { EditorState, SelectionRange } from '@codemirror/state';
import { checklistOf } from '../../src/editor/checklist.ts';
import { deletedIn, placeBefore } from '../../src/editor/collaboration/stranded-cursor.ts';
import { rowIdsOf } from '../../src/editor/row-ids.ts';
import { placeOf, sourcesOf } from './rows.ts';
import { isToken, wordsIn } from './words.ts';

/** The laws of the cursor and the selection when a change of others comes in. */

/** Broken laws. `isStranded`: the row of the cursor is gone. */
interface Found {
  broken: string[];
  isStranded: boolean;
}

interface Placed {
  word: string;
  from: number;
  to: number;
}

const placedIn = (source: string): Placed[] => {
  let at = 0;
  return wordsIn(source).map(word => {
    const from = source.indexOf(word, at);
    at = from + word.length;
    return { word, from, to: at };
  });
};

/** So many characters before the cursor tell where it is. */
const TELLING_CHARS = 8;

/**
 * The words that a position stands right in front of in its line: two with a unique one, or three, if the line has them, or
 * a unique one that is the last.
 */
function wordsBehind(source: string, offset: number): string | undefined {
  const last = /^\w\S*$/.exec(source.slice(offset).trimEnd())?.[0];
  if (last !== undefined && wordsIn(last).length > 0) return last;
  const [two, three] = [/^\w\S* +\S+/, /^\w\S*( +\S+){1,2}/].map(words => words.exec(source.slice(offset))?.[0]);
  return two !== undefined && wordsIn(two).length > 0 ? two : three;
}

const LEFT_ROW = 'the cursor left';

/** A position stays between the same words of its row, also where that was split or joined. `isStranded`: its row is gone. */
function positionLaw(before: EditorState, after: EditorState, old: number, position: number, isStart = false): Found {
  const was = placeOf(before, old);
  if (!was?.token) return { broken: [], isStranded: false };
  const sources = sourcesOf(checklistOf(after));
  const holderOf = (token: string) => sources.findIndex(source => wordsIn(source).includes(token));
  // Of a row that was joined with another one the first part may be deleted.
  const token = wordsIn(was.source).find(word => isToken(word) && holderOf(word) >= 0);
  const is = placeOf(after, position);
  const behindNow = /^ *\w\S*( +\S+)/.exec(was.source.slice(was.offset))?.[0];
  // The words around the cursor may live on in a row whose token a user took away.
  if (token === undefined) {
    const above = /\w\S* +\S+$/.exec(was.source.slice(0, was.offset))?.[0];
    const isBehindSame = above !== undefined && is?.source.slice(0, is.offset).endsWith(above) === true;
    const isBeforeSame = behindNow !== undefined && is?.source.startsWith(behindNow, is.offset) === true;
    return { broken: [], isStranded: !isBehindSame && !isBeforeSame };
  }
  const holder = holderOf(token);
  // A row that was joined with another one while both were reworded may be gone, too: the user is notified. What is typed in
  // the place of a detail is a detail of the row.
  const deleted = deletedIn(after);
  if (deleted !== null) return { broken: [], isStranded: deleted === 'row' };
  // Whatever became of its row, it stands in front of the same words as before.
  const next = wordsBehind(was.source, was.offset);
  if (next !== undefined && is?.source.startsWith(next, is.offset) && /^$|\s$/.test(was.source.slice(0, was.offset)))
    return { broken: [], isStranded: false };
  // The start of a selection goes with the selected text.
  const behind = (place: typeof is) => place?.source.slice(place.offset, place.offset + TELLING_CHARS);
  if (isStart && behind(was)?.length === TELLING_CHARS && behind(was) === behind(is))
    return { broken: [], isStranded: false };
  const where = `row ${token}, offset ${was.offset} of ${JSON.stringify(was.source)}`;
  /** The row has the text before the cursor, or more of the old row's words than any other row. */
  const isOtherPart = () => {
    if (!is) return false;
    const above = was.source.slice(0, was.offset);
    const wordsBefore: readonly string[] = above.match(/\S+/g) ?? [];
    const aboveNow = is.source.slice(is.row.content.from, is.offset);
    if (above.slice(-TELLING_CHARS) === aboveNow.slice(-TELLING_CHARS)) return true;
    // Words may have been typed in front of the one that the cursor is behind, or into it.
    const [last, lastNow] = [above, aboveNow].map(text => text.trimEnd().match(/\S+$/)?.[0]);
    if (last && lastNow && wordsIn(lastNow).reduce((left, word) => left.replace(word, ''), lastNow) === last)
      return true;
    if (last && aboveNow.trimEnd().endsWith(last) && !sources[holder]?.includes(last)) return true;
    // The last word before it that is left in one row only is in this row.
    const sourcesBefore = sourcesOf(checklistOf(before));
    const isInOne = (word: string) =>
      [sourcesBefore, sources].every(all => all.filter(source => source.includes(word)).length === 1);
    const left = wordsBefore.findLast(isInOne);
    if (left && aboveNow.includes(left)) return true;
    // Behind the last word of a row whose end was split off and reworded it is behind the last word of the new row.
    const isAtEnd = (source: string, offset: number) => offset === source.split('\n')[0]?.length;
    const isLeft = (word: string) => sources.some(source => source.includes(word));
    const lastLeft = wordsBefore.filter(isLeft).slice(-2);
    const isOfRow = is.source.includes(lastLeft.join(' '));
    // The last words before it that are all left went to another row.
    const countIn = (all: readonly string[], word: string) => all.join(' ').split(word).length;
    const remaining = wordsBefore.filter(word => countIn(sources, word) >= countIn(sourcesBefore, word));
    const haveGone = remaining.length > 0 && !sources[holder]?.includes(remaining.slice(-2).join(' '));
    if (haveGone && aboveNow.trimEnd().endsWith(remaining.at(-1) ?? '')) return true;
    const isNewPart = is.token === undefined && (is.index === holder + 1 || isOfRow);
    if (isNewPart && isAtEnd(was.source, was.offset) && isAtEnd(is.source, is.offset)) return true;
    // A part that was split off has the last word before it, which no longer stands behind the one before.
    const lastTwo = wordsBefore.slice(-2);
    const isCut = !sources[holder]?.includes(lastTwo.join(' '));
    if (is.token === undefined && isCut && aboveNow.split(' ').includes(lastTwo.at(-1) ?? '')) return true;
    const lastHere = wordsBefore.findLast(word => is.source.split(/\s+/).includes(word));
    if (isNewPart && lastHere !== undefined && aboveNow.trimEnd().endsWith(lastHere)) return true;
    // Between two joined rows it is in front of the second one.
    const [next] = /\S+/.exec(was.source.slice(was.offset)) ?? [];
    const isFirst = aboveNow.trim() === '';
    if (next && isFirst && is.source.slice(is.offset).trimStart().startsWith(next)) return true;
    const words = was.source.match(/\S+/g) ?? [];
    const shared = (source: string) => words.filter(word => source.includes(word)).length;
    return sources.every(source => shared(source) <= shared(is.source));
  };
  const isSameRow = is && rowIdsOf(before)[was.index] === rowIdsOf(after)[is.index];
  if (!is || (is.index !== holder && !isSameRow && !isOtherPart()))
    return {
      broken: [`${LEFT_ROW} ${where} for offset ${is?.offset} of ${JSON.stringify(is?.source)}`],
      isStranded: false,
    };
  const broken: string[] = [];
  const report = (what: string) =>
    broken.push(`the cursor in ${where} ${what}: offset ${is.offset} of ${JSON.stringify(is.source)}`);
  const now = placedIn(is.source);
  /** Finds the present places of words, without those that stand twice. */
  const left = (words: readonly Placed[]) =>
    words.flatMap(({ word }) => {
      const places = now.filter(each => each.word === word);
      return places.length === 1 ? places : [];
    });
  const words = placedIn(was.source);
  const lastAbove = left(words.filter(({ to }) => to <= was.offset)).at(-1);
  const firstBelow = left(words.filter(({ from }) => from >= was.offset))[0];
  const wordBefore = (text: string) => /\S+$/.exec(text)?.[0];
  // The words may have been put in another order: it stays behind the one in front of it.
  const isBehindSame = wordBefore(was.source.slice(0, was.offset)) === wordBefore(is.source.slice(0, is.offset));
  if (isBehindSame && wordBefore(was.source.slice(0, was.offset)) !== undefined) return { broken, isStranded: false };
  // Or in front of the one that it touches, or behind the last one before it that is left.
  const wordAfter = (text: string) => /^\S+/.exec(text)?.[0];
  const touched = wordAfter(was.source.slice(was.offset));
  if (touched !== undefined && touched === wordAfter(is.source.slice(is.offset))) return { broken, isStranded: false };
  const wordsNow: readonly string[] = is.source.match(/\S+/g) ?? [];
  const wordsAbove = was.source.slice(was.row.content.from, was.offset).match(/\S+/g) ?? [];
  const lastLeft = wordsAbove.findLast(word => wordsNow.filter(other => other === word).length === 1);
  // A word that stands twice tells with the one before it.
  const lastTwo = wordsAbove.filter(word => wordsNow.includes(word)).slice(-2);
  const aboveNow = is.source.slice(0, is.offset).trimEnd();
  const isBehindLast =
    (lastLeft && aboveNow.endsWith(lastLeft)) || (lastTwo.length === 2 && aboveNow.endsWith(lastTwo.join(' ')));
  if (isBehindLast) return { broken, isStranded: false };
  if (lastAbove && lastAbove.to > is.offset) report(`stands before ${lastAbove.word}`);
  if (firstBelow && firstBelow.from < is.offset) report(`stands behind ${firstBelow.word}`);
  if (is.isInMark && !was.isInMark && was.offset > 0) report('stands before the mark');
  return { broken, isStranded: false };
}

/** The rows that a range touches, by their lasting ids. */
function rowsOf(state: EditorState, { from, to }: SelectionRange): string[] {
  const ids = rowIdsOf(state);
  const { starts, text } = checklistOf(state);
  return ids.filter((_, index) => (starts[index] ?? 0) < to && (starts[index + 1] ?? text.length) > from);
}

/** Whether the deleted row of the cursor is back, and the cursor in it. */
export const hasReturned = (before: EditorState, after: EditorState): boolean =>
  deletedIn(before) !== null && deletedIn(after) === null;

/**
 * The cursor, and both ends of a selection, stay where they are. A selection takes in no word that it did not have, and
 * stays as long as its rows are neighbours.
 */
export function selectionLaw(before: EditorState, after: EditorState): Found {
  const [was, is] = [before.selection.main, after.selection.main];
  if (hasReturned(before, after)) {
    const row = rowIdsOf(after)[placeOf(after, is.head)?.index ?? -1];
    const isThere = row === placeBefore(before)?.rowId;
    return { broken: isThere ? [] : ['the cursor is not in its row, which is back'], isStranded: false };
  }
  const isWhole = !was.empty && was.to === before.doc.lineAt(was.to).from;
  if (was.empty || (is.empty && !isWhole)) {
    const found = positionLaw(before, after, was.head, is.head);
    return was.empty ? found : { ...found, broken: [...found.broken, ...goneLaw(before, after)] };
  }
  if (is.empty) return { broken: goneLaw(before, after), isStranded: false };
  const ends = [
    positionLaw(before, after, was.from, is.from, true),
    ...(isWhole ? [] : [positionLaw(before, after, was.to, is.to)]),
  ];
  const selected = wordsIn(before.sliceDoc(was.from, was.to));
  const known = wordsIn(before.doc.toString());
  const countIn = (words: readonly string[], word: string) => words.filter(each => each === word).length;
  // A second version of a row is new text: whether it may be there is the law of doubled rows.
  const isNew = (word: string) => countIn(wordsIn(after.doc.toString()), word) > countIn(known, word);
  const taken = wordsIn(after.sliceDoc(is.from, is.to)).filter(
    word => known.includes(word) && !selected.includes(word) && !isNew(word),
  );
  const allWords = (text: string): readonly string[] => text.match(/\S+/g) ?? [];
  const left = allWords(after.doc.toString());
  const selectedNow = after.sliceDoc(is.from, is.to);
  const hasAllWords = allWords(before.sliceDoc(was.from, was.to)).every(
    word => !left.includes(word) || selectedNow.includes(word),
  );
  // With all its words it ends in another row where the last one was split.
  const brokenEnds = ends.flatMap(({ broken }) => broken).filter(law => !hasAllWords || !law.startsWith(LEFT_ROW));
  return {
    broken: [...brokenEnds, ...taken.map(word => `the selection has taken in ${word}`)],
    isStranded: false,
  };
}

/** A selection does not go while all its rows are neighbours, have words of it, and were neither joined nor split. */
function goneLaw(before: EditorState, after: EditorState): string[] {
  const range = before.selection.main;
  const ids = rowIdsOf(after);
  const places = rowsOf(before, range).map(id => ids.indexOf(id));
  const first = places[0] ?? -1;
  const areNeighbours = places.every((place, index) => place >= 0 && place === first + index);
  const selected = wordsIn(before.sliceDoc(range.from, range.to));
  const { rows } = checklistOf(after);
  const allWords = (text: string) => text.match(/[^\s>]+/g) ?? [];
  const known = new Set(allWords(before.doc.toString()));
  const knownIn = (source: string) =>
    allWords(source)
      .filter(word => known.has(word))
      .sort()
      .join(' ');
  const sources = sourcesOf(checklistOf(before));
  const sourcesNow = sourcesOf(checklistOf(after));
  const wholeBefore = rowsOf(before, range).map(id => sources[rowIdsOf(before).indexOf(id)] ?? '');
  const isReshaped = wholeBefore.some((source, index) => {
    return knownIn(source) !== knownIn(sourcesNow[places[index] ?? -1] ?? '');
  });
  const isThere = places.every(place => selected.some(word => rows[place]?.text.includes(word)));
  return areNeighbours && isThere && !isReshaped && selected.length > 0
    ? [`the selection of ${JSON.stringify(selected)} is gone`]
    : [];
}
