import { templates as messages } from '../../domain/messages.ts';
import { cleanText } from '../../text/document.ts';
import { merging } from '../../text/merge.ts';
import type { Sliced } from '../../text/sliced.ts';
import { builtIn, type StatusRegistry } from '../../text/status-registry.ts';
import { readingText, readText } from '../common/reading.ts';
import { inTurnIfLarge, type OwnTurns } from '../common/text-turns.ts';
import { Refused } from '../errors/refused.ts';
import { requireSize, templateText } from './rules.ts';
import type { NewText } from './types.ts';

/** What a template's stored text becomes. Other requests run while it is computed. */
export interface Joining {
  /** In a turn where the texts are large: not within a transaction, which others may wait for in theirs. */
  inTurn(stored: string): Promise<string>;
  /** Whether what a stored text becomes depends on it. */
  isMerge: boolean;
  /** In parts. Throws `Refused` on a conflict, or where the text cannot be stored. */
  join(stored: string): Sliced<string>;
}

/** Joins a new text with concurrent changes. Throws `Refused` for texts beyond a template's size before they are read. */
export function joiningText({ text, base }: NewText, statuses: StatusRegistry, turns: OwnTurns): Joining {
  requireSize(text);
  if (base !== undefined) requireSize(base, 'baseText');

  function* merged(stored: string): Sliced<string> {
    if (base === undefined) return text;
    const [from, mine] = [cleanText(base).text, cleanText(text).text];
    for (const each of [from, mine, stored]) yield* readingText(each, statuses);
    const read = (each: string, like?: string) => readText(each, statuses, like);
    const { text: both, conflicts } = yield* merging(from, mine, stored, statuses, {}, read);
    if (conflicts.length > 0) throw new Refused('CHANGED_MEANWHILE', messages.sameLines, 'text');
    return both;
  }

  function* join(stored: string): Sliced<string> {
    const found = templateText(yield* merged(stored));
    // Its items are counted when it is stored: the reading is known by then.
    yield* readingText(found, builtIn);
    return found;
  }

  const lengthBeside = (stored: string) => (base === undefined ? 0 : base.length + stored.length);
  return {
    inTurn: stored => inTurnIfLarge(turns, text.length + lengthBeside(stored), () => join(stored)),
    isMerge: base !== undefined,
    join,
  };
}
