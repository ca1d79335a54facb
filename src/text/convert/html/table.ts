import type { Sliced } from '../../sliced.ts';
import type { Draft } from '../blocks.ts';
import { readingTable, type TableRow } from '../table.ts';

/** A table that is being read. One that holds lists, headers or tables only arranges them: `layout`. */
export class OpenTable {
  layout: boolean = false;
  private readonly rows: TableRow[] = [];
  private cells: string[] | undefined;
  private lines: string[] | undefined;
  private head = true;
  private line = 1;

  /** Whether text goes to a cell now. */
  get inCell(): boolean {
    return !this.layout && this.lines !== undefined;
  }

  startRow(line: number): void {
    this.endRow();
    this.cells = [];
    this.head = true;
    this.line = line;
  }

  startCell(isHead: boolean, line: number): void {
    if (!this.cells) this.startRow(line);
    this.endCell();
    this.head &&= isHead;
    this.lines = [];
  }

  addLine(text: string): void {
    this.lines?.push(text);
  }

  endCell(): void {
    if (this.lines) this.cells?.push(this.lines.join('\n'));
    this.lines = undefined;
  }

  endRow(): void {
    this.endCell();
    if (this.cells && this.cells.length > 0) this.rows.push({ line: this.line, cells: this.cells, head: this.head });
    this.cells = undefined;
  }

  /** The items of what was read so far. */
  *take(): Sliced<Draft> {
    this.endRow();
    return yield* readingTable(this.rows.splice(0));
  }
}
