import { isMostlyOf } from './details.ts';
import type { Split } from './reshapes.ts';
import { positionsInRewording } from './rewording.ts';
import type { Unit } from './units.ts';
import { type Part, rowOf, type Side, type SideName } from './versions.ts';

/*
 * A row that both sides have split, perhaps at different places: it is split at all of these. The words between two places
 * are a segment; a side may have several segments in one of its rows.
 */

/** One side's row, and the positions in the old row between which its words were. */
interface Piece {
  from: number;
  to: number;
  unit: Unit;
  /** The row's index on the side. */
  place: number;
  /** Whether it is still the old row. */
  isKept: boolean;
}

interface Segment {
  part: Part;
  /** The sides' rows that begin with it. */
  mine: Piece | undefined;
  theirs: Piece | undefined;
  /** The number of places before it at which both have split the row. */
  group: number;
}

/** The segments in order; `kept` is the one that is still the row. */
interface BothSplit {
  segments: readonly Segment[];
  kept: Segment;
}

/** A side's splits of the row, from the row's start on. */
interface SplitSide {
  side: Side;
  splits: readonly Split[];
}

/** The rows that a side has made of a row; `undefined` where they do not stand around the one that is still the row. */
function piecesOf({ content }: Unit, row: number, { side: { units, to }, splits }: SplitSide): Piece[] | undefined {
  const keptPlace = to.get(row);
  const place = splits.filter(({ isSecond }) => !isSecond).length;
  if (keptPlace === undefined || splits.some(({ isSecond }, index) => isSecond !== index >= place)) return undefined;
  const cuts = splits.map(({ cut }) => content.slice(0, cut).trimEnd().length);
  const places = splits.map(({ added }) => added).toSpliced(place, 0, keptPlace);
  const pieces = places.map((at, index) => ({
    ...{ from: cuts[index - 1] ?? 0, to: cuts[index] ?? content.length },
    ...{ unit: units[at], place: at, isKept: index === place },
  }));
  return pieces.flatMap(({ unit, ...piece }) => (unit ? [{ ...piece, unit }] : []));
}

/** The position in a piece's words of a position in the old row; `undefined` where the side has other words there. */
function positionIn({ content }: Unit, { from, to, unit }: Piece, position: number): number | undefined {
  if (position <= from) return 0;
  if (position >= to) return unit.content.length;
  return positionsInRewording(content.slice(from, to), unit.content)(position - from);
}

const isWithin = ({ from, to }: Piece, position: number) => from < position && position < to;

/** Splits a row as both sides have split it. `undefined` for rows whose parts are not certain. */
export function splitByBoth(base: Unit, row: number, sides: Record<SideName, SplitSide>): BothSplit | undefined {
  const [mine, theirs] = [piecesOf(base, row, sides.mine), piecesOf(base, row, sides.theirs)];
  if (!mine || !theirs) return undefined;
  const pieces = { mine, theirs };
  const cutsOf = (side: readonly Piece[]) => side.slice(1).map(({ from }) => from);
  const isDivisible = (cut: number) =>
    [...mine, ...theirs].every(piece => !isWithin(piece, cut) || positionIn(base, piece, cut) !== undefined);
  const cuts = [...new Set([mine, theirs].flatMap(cutsOf))].filter(isDivisible).sort((a, b) => a - b);
  const bounds = [0, ...cuts, base.content.length];
  const last = cuts.length;
  const lineBreak = base.end.replace(/^[ \t\xa0]+/, '');

  const endsIn = (at: number, { to }: Piece) => (bounds[at] ?? 0) < to && to <= (bounds[at + 1] ?? 0);
  const beginsWith = (side: SideName, at: number) => pieces[side].find(({ from }) => from === bounds[at]);
  const holders = { mine: holderIn(mine), theirs: holderIn(theirs) };
  const holding = [holders.mine, holders.theirs].map(holder =>
    holder ? bounds.findIndex((_, at) => endsIn(at, holder)) : last,
  );
  /** The segment that has the row's details: they are at its end unless a side has put them elsewhere. */
  const detailed = holding.find(at => at !== last) ?? last;

  /** The piece with the row's details. */
  function holderIn(side: readonly Piece[]): Piece | undefined {
    const [holder, ...others] = side.filter(({ unit }) => isMostlyOf(unit.details, base.details));
    return others.length === 0 ? holder : undefined;
  }

  /** A segment as a side has it. */
  function segmentIn(side: SideName, at: number, like: Unit): Unit {
    const [from = 0, to = 0] = bounds.slice(at, at + 2);
    const words = pieces[side].flatMap(piece => {
      if (piece.to <= from || piece.from >= to) return [];
      const text = piece.unit.content.slice(positionIn(base, piece, from), positionIn(base, piece, to)).trim();
      return text === '' ? [] : [text];
    });
    const ended = pieces[side].filter(piece => endsIn(at, piece));
    const own = ended.find(piece => piece.to === to)?.unit;
    const others = ended.filter(piece => piece !== holders[side]).map(({ unit }) => unit.details);
    const details = [...others, at === detailed ? holders[side]?.unit.details : ''].join('');
    return { ...like, content: words.join(' '), details, end: own?.end ?? lineBreak, below: own?.below ?? '' };
  }

  const segments = bounds.slice(0, -1).map((from, at): Segment => {
    const to = bounds[at + 1] ?? from;
    const [own, other] = [beginsWith('mine', at), beginsWith('theirs', at)];
    const like = (own ?? other)?.unit ?? base;
    const was: Unit = {
      ...(at === 0 ? base : like),
      content: base.content.slice(from, to).trim(),
      details: at === detailed ? base.details : '',
      ...(at === last ? { end: base.end, below: base.below } : { end: lineBreak, below: '' }),
    };
    const around = theirs.find(piece => piece.from <= from && piece.to >= to);
    const before: Unit = around ? { ...was, content: base.content.slice(around.from, around.to).trim() } : was;
    const addedBy = (piece: Piece | undefined) => (piece && !piece.isKept ? piece.place : undefined);
    const [inMine, inTheirs] = [addedBy(own), addedBy(other)];
    return {
      part: {
        base: was,
        mine: segmentIn('mine', at, own?.unit ?? like),
        theirs: segmentIn('theirs', at, other?.unit ?? like),
        before: [around && !around.isKept ? { index: around.place, of: 'theirs', unit: before } : rowOf(row, before)],
        added: { ...(inMine !== undefined && { mine: inMine }), ...(inTheirs !== undefined && { theirs: inTheirs }) },
      },
      ...{ mine: own, theirs: other },
      group: cuts.filter(cut => cut <= from && cutsOf(mine).includes(cut) && cutsOf(theirs).includes(cut)).length,
    };
  });

  const isInKept = (side: readonly Piece[], at: number) =>
    side.some(({ from, to, isKept }) => isKept && from < (bounds[at + 1] ?? 0) && to > (bounds[at] ?? 0));
  const kept =
    segments.find((_, at) => isInKept(mine, at) && isInKept(theirs, at)) ??
    segments.find((_, at) => isInKept(mine, at));
  if (!kept) return undefined;
  // If theirs has the row in another part, this one stands for the row that theirs has added for this one.
  const other = segments.find(each => each !== kept && each.theirs?.isKept);
  if (other && kept.part.added?.theirs !== undefined)
    other.part.added = { ...other.part.added, theirs: kept.part.added.theirs };
  return { segments, kept };
}
