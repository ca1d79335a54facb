import { StateEffect, StateField } from '@codemirror/state';

/** The text that a command replaced by a line's mark, to restore it later; blank lines above are included. */
export interface Former {
  /** The start of the line. */
  at: number;
  text: string;
}

/** Remembers lines that a command of the same transaction makes. Positions are positions after the transaction. */
export const remember = StateEffect.define<readonly Former[]>();

/** A line that is a detail or a header, which only lines made by a command are remembered as. */
const isMade = /^[ \t\xa0]*(?:>|#{1,6}(?:[ \t\xa0]|$))/;

/**
 * The marks of items that became details or headers, so that making them items again gives the same text. Forgotten when
 * the line becomes something else.
 */
export const formerMarks = StateField.define<readonly Former[]>({
  create: () => [],
  update: (known, { changes, docChanged, effects, newDoc }) => {
    const newTexts = effects.flatMap(effect => (effect.is(remember) ? effect.value : []));
    if (!docChanged || known.length + newTexts.length === 0) return known;
    const again = new Set(newTexts.map(({ at }) => at));
    const remainingTexts = known.flatMap(({ at, text }) => {
      const movedAt = changes.mapPos(at, 1);
      return again.has(movedAt) || newDoc.lineAt(movedAt).from !== movedAt ? [] : [{ at: movedAt, text }];
    });
    return [...remainingTexts, ...newTexts].filter(({ at }) => isMade.test(newDoc.lineAt(at).text));
  },
});
