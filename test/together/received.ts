import type { EditorState } from '@codemirror/state';
import { checklistOf } from '../../src/editor/checklist.ts';
import { storedVersions } from '../../src/editor/collaboration/stored-version.ts';
import { deletedLine } from '../../src/editor/collaboration/stranded-cursor.ts';
import { rowIdsOf } from '../../src/editor/row-ids.ts';
import { readChecklist } from '../../src/text/read.ts';
import type { Ledger } from './ledger.ts';
import { choicesIn, placeOf, sourcesOf } from './rows.ts';
import { doubledIn, isToken, tokenIn, wordsIn } from './words.ts';

/** The laws of a remote change in an open editor. Each returns what is broken. */

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

/** The cursor stays between the same words of its row, also where that was split or joined. `isStranded`: its row is gone. */
export function cursorLaw(before: EditorState, after: EditorState): { broken: string[]; isStranded: boolean } {
  const was = placeOf(before, before.selection.main.head);
  if (!was?.token) return { broken: [], isStranded: false };
  const { token } = was;
  const sources = sourcesOf(checklistOf(after));
  const holder = sources.findIndex(source => wordsIn(source).includes(token));
  if (holder < 0) return { broken: [], isStranded: true };
  const is = placeOf(after, after.selection.main.head);
  // A row that was joined with another one while both were reworded may be gone, too: the user is notified.
  if (after.field(deletedLine) !== null) return { broken: [], isStranded: true };
  const where = `row ${token}, offset ${was.offset} of ${JSON.stringify(was.source)}`;
  /** The row has the text before the cursor, or more of the old row's words than any other row. */
  const isOtherPart = () => {
    if (!is) return false;
    const above = was.source.slice(0, was.offset);
    const aboveNow = is.source.slice(is.row.content.from, is.offset);
    if (above.slice(-TELLING_CHARS) === aboveNow.slice(-TELLING_CHARS)) return true;
    // Words may have been typed in front of the one that the cursor is behind, or into it.
    const [last] = /\S+$/.exec(above) ?? [];
    const [lastNow] = /\S+$/.exec(aboveNow) ?? [];
    if (last && lastNow && wordsIn(lastNow).reduce((left, word) => left.replace(word, ''), lastNow) === last)
      return true;
    if (last && aboveNow.endsWith(last) && !sources[holder]?.includes(last)) return true;
    // The last word before it that is left in one row only is in this row.
    const sourcesBefore = sourcesOf(checklistOf(before));
    const isInOne = (word: string) =>
      [sourcesBefore, sources].every(all => all.filter(source => source.includes(word)).length === 1);
    const left = (above.match(/\S+/g) ?? []).findLast(isInOne);
    if (left && aboveNow.includes(left)) return true;
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
      broken: [`the cursor left ${where} for offset ${is?.offset} of ${JSON.stringify(is?.source)}`],
      isStranded: false,
    };
  const broken: string[] = [];
  const report = (what: string) =>
    broken.push(`the cursor in ${where} ${what}: offset ${is.offset} of ${JSON.stringify(is.source)}`);
  const now = placedIn(is.source);
  /** Where the words are now, without those that stand twice. */
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
  if (lastAbove && lastAbove.to > is.offset) report(`stands before ${lastAbove.word}`);
  if (firstBelow && firstBelow.from < is.offset) report(`stands behind ${firstBelow.word}`);
  if (is.isInMark && !was.isInMark && was.offset > 0) report('stands before the mark');
  return { broken, isStranded: false };
}

/**
 * No word goes unless a user took it away, a choice shows it, or the history has it in a conflict: also where a newer
 * version, which has not arrived, has it again.
 */
export function keptLaw(before: EditorState, after: EditorState, ledger: Ledger): string[] {
  const is = new Set(wordsIn(after.doc.toString()));
  const shown = new Set(choicesIn(after).flatMap(({ conflict }) => wordsIn(`${conflict.mine} ${conflict.theirs}`)));
  const lost = wordsIn(before.doc.toString()).filter(
    word => !is.has(word) && !shown.has(word) && !ledger.wasRemoved(word) && !ledger.wasReported(word),
  );
  return lost.map(word => `${word} went from an editor`);
}

const textOf = (state: EditorState, rowId: string | undefined) => {
  const index = rowIdsOf(state).indexOf(rowId ?? '');
  return checklistOf(state).rows[index]?.text;
};

/** The text that others gave a row in the version that was merged last. */
function theirText(state: EditorState, rowId: string | undefined): string | undefined {
  const [version] = storedVersions(state);
  const index = version?.rows.indexOf(rowId ?? '') ?? -1;
  return version && readChecklist(version.text).rows[index]?.text;
}

/**
 * An open choice stays at its row: below the row that has the value of it, and until it is decided as long as both values
 * are what they were.
 */
export function choiceLaw(before: EditorState, after: EditorState, ledger: Ledger): string[] {
  const [was, is] = [choicesIn(before), choicesIn(after)];
  const texts = is.filter(({ conflict }) => conflict.attribute === 'text');
  const strays = texts.flatMap(({ conflict, source }) => {
    const token = tokenIn(conflict[conflict.stored ?? 'mine']);
    if (token === undefined || wordsIn(source).includes(token) || ledger.isReshaped(token)) return [];
    const isThere = wordsIn(after.doc.toString()).includes(token);
    return isThere ? [`the choice of ${token} stands at ${JSON.stringify(source)}`] : [];
  });
  const gone = was.flatMap(({ conflict, rowId }) => {
    const stays = is.some(each => each.rowId === rowId && each.conflict.attribute === conflict.attribute);
    const { attribute, mine, theirs, stored = 'mine' } = conflict;
    if (stays || attribute !== 'text' || stored !== 'mine') return [];
    const isKept = textOf(before, rowId) === mine && textOf(after, rowId) === mine;
    const said = theirText(after, rowId);
    // The server has stored mine with the conflict, which stays open here.
    const offered = wordsIn(theirs).filter(word => !mine.includes(word));
    const isRecorded = said === mine && offered.length > 0 && offered.every(ledger.isReported);
    const isOpen = isKept && (said === theirs || isRecorded);
    return isOpen ? [`the choice of ${JSON.stringify(mine)} and ${JSON.stringify(theirs)} is gone`] : [];
  });
  return [...strays, ...gone];
}

/** Two rows become one only where a user joined rows. */
export const linesLaw = (where: string, text: string, ledger: Ledger): string[] =>
  text.split('\n').flatMap(line => {
    const tokens = wordsIn(line).filter(isToken);
    return tokens.length > 1 && !tokens.some(ledger.isReshaped)
      ? [`${tokens.join(' and ')} are one row in ${where}`]
      : [];
  });

export const doubledLaw = (where: string, text: string, ledger: Ledger): string[] =>
  doubledIn(text).flatMap(word => (ledger.mayDouble(word) ? [] : [`${word} is twice in ${where}`]));
