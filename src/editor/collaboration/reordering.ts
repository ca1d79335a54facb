/**
 * A text's blocks in another order, as a mapping of positions: what is inside of a block goes with it. CodeMirror's change
 * sets know only deletions and insertions, which lose it.
 */
export class Reordering {
  private readonly starts: readonly number[];
  private readonly newStarts: readonly number[];

  /** `lengths` of the blocks in the old order; `order` has their indexes in the new one. */
  constructor(lengths: readonly number[], order: readonly number[]) {
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

  mapPos(position: number): number {
    const block = this.blockAt(position);
    return (this.newStarts[block] ?? 0) + position - (this.starts[block] ?? 0);
  }
}
