import type { EditorState } from '@codemirror/state';
import { checklistOf } from '../../src/editor/checklist.ts';
import { storedVersions } from '../../src/editor/collaboration/stored-version.ts';
import { rowIdsOf } from '../../src/editor/row-ids.ts';
import { readChecklist } from '../../src/text/read.ts';
import type { Ledger } from './ledger.ts';
import { choicesIn, offeredIn } from './rows.ts';
import { doubledIn, isToken, tokenIn, wordsIn } from './words.ts';

/** The laws of a remote change in an open editor. Each returns what is broken. */

/** No word goes unless a user took it away, a choice shows it, or the history has it in a conflict. */
export function keptLaw(before: EditorState, after: EditorState, ledger: Ledger): string[] {
  const is = new Set(wordsIn(after.doc.toString()));
  const shown = new Set(offeredIn(after));
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
 * An open choice stays at its row: below the row that has the value of it, and until it is decided: as long as both values
 * are what they were, and as long as a word of the user's is nowhere else.
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
  const there = new Set([after.doc.toString(), ...is.map(({ conflict }) => conflict.mine)].flatMap(wordsIn));
  const gone = was.flatMap(({ conflict, rowId }) => {
    const stays = is.some(each => each.rowId === rowId && each.conflict.attribute === conflict.attribute);
    const { attribute, mine, theirs, stored = 'mine' } = conflict;
    if (stays || attribute !== 'text') return [];
    if (stored === 'theirs') {
      const isLost = (word: string) => !there.has(word) && !ledger.wasRemoved(word);
      const lost = rowIdsOf(after).includes(rowId ?? '') ? wordsIn(mine).filter(isLost) : [];
      return lost.map(word => `the choice with ${word} is gone`);
    }
    const isKept = textOf(before, rowId) === mine && textOf(after, rowId) === mine;
    const said = theirText(after, rowId);
    // The server has stored mine with the conflict, which stays open here.
    const offered = wordsIn(theirs).filter(word => !mine.includes(word));
    const isRecorded = said === mine && offered.length > 0 && offered.every(ledger.isReported);
    // With a part of its row it may be about that part, with the same words.
    const shown = new Set(is.flatMap(({ conflict }) => wordsIn(`${conflict.mine} ${conflict.theirs}`)));
    const token = tokenIn(mine);
    const isOfPart =
      (token === undefined || ledger.isReshaped(token)) && offered.every(word => there.has(word) || shown.has(word));
    const isOpen = isKept && !isOfPart && (said === theirs || isRecorded);
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

/** No row is there twice. `offered`: the words of open choices, whose rows a user has yet to decide. */
export const doubledLaw = (where: string, text: string, ledger: Ledger, offered: readonly string[] = []): string[] =>
  doubledIn(text).flatMap(word =>
    ledger.mayDouble(word, offered.includes(word)) ? [] : [`${word} is twice in ${where}`],
  );
