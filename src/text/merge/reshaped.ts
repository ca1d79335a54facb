import type { Alignment } from './align.ts';
import { rewordingChanges } from './rewording.ts';
import { type Document, isUnchanged, type Unit } from './units.ts';

/** The three versions of a row that are merged. */
export interface Versions {
  base: Unit;
  mine: Unit;
  theirs: Unit;
}

/**
 * Rows that one side split or joined while the other side changed them: the base and the other side are split or joined
 * in the same way, so that both changes meet in one row.
 */
export interface Reshaped {
  /** By the base's index. */
  rows: ReadonlyMap<number, Versions>;
  /** Rows of the base that are part of another one. */
  absorbed: ReadonlySet<number>;
  /** The second parts of split rows, which one side added. */
  parts: ReadonlyMap<Unit, Versions>;
}

type Side = 'mine' | 'theirs';

interface Sides {
  base: Document;
  mine: Document;
  theirs: Document;
  toMine: Alignment;
  toTheirs: Alignment;
}

/** Fewer characters of a deleted row may stand in another one by chance. */
const MIN_JOINED_CHARS = 3;

const isItem = (unit: Unit | undefined): unit is Unit => unit?.row.kind === 'checkbox';

/** Whether a row's words can be divided: a header's marks may stand anywhere in them. */
const isPlain = (unit: Unit | undefined): unit is Unit =>
  unit !== undefined && (unit.row.kind === 'checkbox' || unit.row.marks.length === 0);

const withContent = (unit: Unit, content: string, details = unit.details): Unit => ({ ...unit, content, details });

/** The position in another version of a text; `undefined` inside of words that are not in it. */
function mapPosition(before: string, after: string, position: number): number | undefined {
  let shift = 0;
  for (const { from, to = from, insert = '' } of rewordingChanges(before, after)) {
    if (from >= position) break;
    if (to > position) return undefined;
    shift += insert.length - (to - from);
  }
  return position + shift;
}

/**
 * The position at which a row was split into two: the first begins with the words before it, the second with all words
 * behind it. `undefined` for two rows that only have some of its words.
 */
function cutOf(whole: string, first: string, second: string): number | undefined {
  let prefix = 0;
  while (prefix < Math.min(whole.length, first.length) && whole[prefix] === first[prefix]) prefix++;
  const cut = whole.slice(0, prefix).trimEnd().length;
  const rest = whole.slice(cut).trim();
  return cut > 0 && rest !== '' && second.startsWith(rest) ? cut : undefined;
}

/** Finds what one side split or joined. */
export function reshapedRows(sides: Sides): Reshaped {
  const rows = new Map<number, Versions>();
  const absorbed = new Set<number>();
  const parts = new Map<Unit, Versions>();
  const order = (shape: Side, base: Unit, own: Unit, other: Unit): Versions =>
    shape === 'mine' ? { base, mine: own, theirs: other } : { base, mine: other, theirs: own };

  for (const shape of ['mine', 'theirs'] as const) {
    const { base, [shape]: own } = sides;
    const other = shape === 'mine' ? sides.theirs : sides.mine;
    const [toOwn, toOther] = shape === 'mine' ? [sides.toMine, sides.toTheirs] : [sides.toTheirs, sides.toMine];
    const inBase = new Set(toOwn.values());
    for (const [index, unit] of base.units.entries()) {
      const [there, changed] = [toOwn.get(index), other.units[toOther.get(index) ?? -1]];
      if (there !== undefined) {
        if (changed && isPlain(unit) && unit.content !== changed.content) split(index, there, unit, changed);
        continue;
      }
      if (changed && isItem(unit) && !isUnchanged(changed, unit)) join(index, unit, changed);
    }

    /** Joins two rows if a side has all words of a deleted row in another row. */
    function join(index: number, unit: Unit, changed: Unit): void {
      if (unit.content.length < MIN_JOINED_CHARS) return;
      const baseOf = new Map([...toOwn].map(([row, place]) => [place, row]));
      const place = own.units.findIndex(({ content }, at) => {
        const before = base.units[baseOf.get(at) ?? -1];
        return content.includes(unit.content) && before?.content.includes(unit.content) !== true;
      });
      const joined = own.units[place];
      if (!joined) return;
      const target = baseOf.get(place);
      const [start, otherStart] = [base.units[target ?? -1], other.units[toOther.get(target ?? -1) ?? -1]];
      if (target === undefined) {
        // The side added the row that it joined this one to: its words are the other side's.
        const others = withContent(
          joined,
          joined.content.replace(unit.content, () => changed.content),
        );
        if (parts.has(joined)) return;
        parts.set(joined, order(shape, joined, joined, others));
      } else {
        const known = rows.get(target);
        if (!start || !otherStart || (known && known[shape] !== joined)) return;
        const gap = /[ \t]*$/.exec(joined.content.slice(0, joined.content.indexOf(unit.content)))?.[0] ?? '';
        const [before, others] = [known?.base ?? start, known?.[shape === 'mine' ? 'theirs' : 'mine'] ?? otherStart];
        const joinedBase = withContent(before, before.content + gap + unit.content, before.details + unit.details);
        const joinedOther = withContent(
          others,
          others.content + gap + changed.content,
          others.details + changed.details,
        );
        rows.set(target, order(shape, joinedBase, joined, joinedOther));
      }
      absorbed.add(index);
    }

    function split(index: number, there: number, unit: Unit, changed: Unit): void {
      const kept = own.units[there];
      if (!isPlain(kept) || rows.has(index) || kept.content === unit.content) return;
      for (const [first, second] of [
        [there, there + 1],
        [there - 1, there],
      ] as const) {
        const added = first === there ? second : first;
        const [one, two, part] = [own.units[first], own.units[second], own.units[added]];
        if (!isPlain(one) || !isItem(two) || !part || inBase.has(added) || parts.has(part)) continue;
        const cut = cutOf(unit.content, one.content, two.content);
        const otherCut = cut === undefined ? undefined : mapPosition(unit.content, changed.content, cut);
        if (cut === undefined || otherCut === undefined) continue;
        const halves = (text: string, at: number) => [text.slice(0, at).trimEnd(), text.slice(at).trimStart()];
        const [baseHalves, otherHalves] = [halves(unit.content, cut), halves(changed.content, otherCut)];
        const [keptHalf, addedHalf] = first === there ? [0, 1] : [1, 0];
        const half = (of: Unit, texts: readonly string[], which: number) => withContent(of, texts[which] ?? '');
        rows.set(index, order(shape, half(unit, baseHalves, keptHalf), kept, half(changed, otherHalves, keptHalf)));
        parts.set(part, order(shape, half(part, baseHalves, addedHalf), part, half(part, otherHalves, addedHalf)));
        return;
      }
    }
  }
  return { rows, absorbed, parts };
}
