import { ChangeSet, Text } from '@codemirror/state';

interface Part {
  block: number;
  from: number;
  to: number;
  insert: Text | undefined;
}

/**
 * A text's blocks in another order, as a mapping of positions and changes: what happened inside of a block goes with it.
 * CodeMirror's change sets know only deletions and insertions, which lose what was inside.
 */
export class Reordering {
  private readonly lengths: readonly number[];
  private readonly starts: readonly number[];
  private readonly newStarts: readonly number[];
  private readonly order: readonly number[];

  /** `lengths` of the blocks in the old order; `order` has their indexes in the new one. */
  constructor(lengths: readonly number[], order: readonly number[]) {
    this.lengths = lengths;
    this.order = order;
    const place = (indexes: Iterable<number>) => {
      const starts: number[] = [];
      let at = 0;
      for (const index of indexes) {
        starts[index] = at;
        at += lengths[index] ?? 0;
      }
      return starts;
    };
    this.starts = place(lengths.keys());
    this.newStarts = place(order);
  }

  /** The block of a position: the one that begins there, rather than the one that ends. */
  private blockAt(position: number): number {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  apply(doc: Text): Text {
    return this.order.reduce((text, block) => {
      const start = this.starts[block] ?? 0;
      return text.append(doc.slice(start, start + (this.lengths[block] ?? 0)));
    }, Text.empty);
  }

  mapPos(position: number): number {
    const block = this.blockAt(position);
    return (this.newStarts[block] ?? 0) + position - (this.starts[block] ?? 0);
  }

  /** Cuts a change into one for each block that it touches. */
  private parts(from: number, to: number, inserted: Text, doc: Text): Part[] {
    // Deleting the break above a row and the row is the same as deleting the row and its own break.
    const isRow =
      inserted.length === 0 && to < doc.length && [from, to].every(at => doc.sliceString(at, at + 1) === '\n');
    let at = isRow && to > from ? from + 1 : from;
    const end = isRow && to > from ? to + 1 : to;
    const parts: Part[] = [];
    do {
      const block = this.blockAt(at);
      const start = this.starts[block] ?? 0;
      const stop = Math.min(end, start + (this.lengths[block] ?? 0));
      const insert = parts.length === 0 && inserted.length > 0 ? inserted : undefined;
      parts.push({ block, from: at - start, to: Math.max(at, stop) - start, insert });
      at = Math.max(at, stop);
    } while (at < end);
    return parts;
  }

  /**
   * Maps changes of the text in the old order, `doc`, to the new one. `next` is the reordering of the text that they
   * lead to.
   */
  map(changes: ChangeSet, doc: Text): { changes: ChangeSet; next: Reordering } {
    const parts: Part[] = [];
    changes.iterChanges((from, to, _from, _to, inserted) => parts.push(...this.parts(from, to, inserted, doc)));
    const lengths = [...this.lengths];
    for (const { block, from, to, insert } of parts)
      lengths[block] = (lengths[block] ?? 0) + (insert?.length ?? 0) - (to - from);
    const placed = parts.map(({ block, from, to, insert }) => {
      const start = this.newStarts[block] ?? 0;
      return { from: start + from, to: start + to, insert };
    });
    placed.sort((a, b) => a.from - b.from || a.to - b.to);
    return {
      changes: ChangeSet.of(
        placed.map(({ from, to, insert }) => (insert ? { from, to, insert } : { from, to })),
        doc.length,
      ),
      next: new Reordering(lengths, this.order),
    };
  }
}
