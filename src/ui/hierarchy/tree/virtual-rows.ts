/** A line of a long list: a row of a known height, or something that is as high as it is. */
export interface Sized {
  key: string;
  /** Pixels. */
  height: number;
  /** It is there wherever the list is scrolled to: something is typed in it, or it has the focus. */
  stays: boolean;
}

/** What is in the document: lines by their index, and room in place of those that are not. */
export type VirtualPiece = { index: number } | { room: number; key: string };

/** Pixels around what is seen in which lines are there, and the steps in which that is looked at. */
const AROUND = 400;
export const STEP = 200;

/** The lines near what is seen between these two heights, in their order, with room for the others. */
export function piecesOf(lines: readonly Sized[], top: number, bottom: number): VirtualPiece[] {
  const pieces: VirtualPiece[] = [];
  let room = 0;
  let at = 0;
  lines.forEach(({ key, height, stays }, index) => {
    const near = at + height >= top - AROUND && at <= bottom + AROUND;
    at += height;
    if (!near && !stays) {
      room += height;
      return;
    }
    if (room > 0) pieces.push({ room, key: `before ${key}` });
    room = 0;
    pieces.push({ index });
  });
  if (room > 0) pieces.push({ room, key: 'after' });
  return pieces;
}

/** Where a line begins, in pixels from the list's top. */
export const topOf = (lines: readonly Sized[], index: number): number =>
  lines.slice(0, index).reduce((sum, { height }) => sum + height, 0);
