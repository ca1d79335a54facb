import fc from 'fast-check';

/** Code points that are halves of a surrogate pair. */
const HALVES = { first: 0xd800, count: 0x800 };
const LAST_CODE_POINT = 0x10ffff;

/**
 * Any code point, drawn as by `unit: 'binary'` of `fc.string`, which lists all 1.1 million of them in each worker: two
 * seconds of processor time.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: LAST_CODE_POINT - HALVES.count }).map(
  index => String.fromCodePoint(index < HALVES.first ? index : index + HALVES.count),
  character => {
    const point = typeof character === 'string' ? character.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== character) throw new Error('It is no character.');
    if (point >= HALVES.first && point < HALVES.first + HALVES.count) throw new Error('It is half of a character.');
    return point < HALVES.first ? point : point - HALVES.count;
  },
);
