import { StateEffect, StateField } from '@codemirror/state';

/** What stood in place of a line's mark before a command made another kind of it, blank lines above included. */
export interface Former {
  /** Where the line begins. */
  at: number;
  text: string;
}

/** Remembers lines that a command of the same transaction makes. Positions are those after it. */
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
    const made = effects.flatMap(effect => (effect.is(remember) ? effect.value : []));
    if (!docChanged || known.length + made.length === 0) return known;
    const again = new Set(made.map(({ at }) => at));
    const kept = known.flatMap(({ at, text }) => {
      const now = changes.mapPos(at, 1);
      return again.has(now) || newDoc.lineAt(now).from !== now ? [] : [{ at: now, text }];
    });
    return [...kept, ...made].filter(({ at }) => isMade.test(newDoc.lineAt(at).text));
  },
});
