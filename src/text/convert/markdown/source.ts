import type { Nodes } from 'mdast';
import type { DraftBuilder } from '../blocks.ts';

/** A text that was parsed, and the draft that its nodes are written to. */
export class MarkdownSource {
  readonly text: string;
  readonly draft: DraftBuilder;
  /** The line of the whole input, by the line of this text; both count from 1. */
  private readonly inputLine: (line: number) => number;
  private readonly addresses = new Map<string, string>();
  private readonly usedLabels = new Set<string>();

  constructor(text: string, draft: DraftBuilder, inputLine: (line: number) => number) {
    this.text = text;
    this.draft = draft;
    this.inputLine = inputLine;
  }

  of(node: Nodes): string {
    return this.text.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
  }

  lineOf(node: Nodes): number {
    return this.inputLine(node.position?.start.line ?? 1);
  }

  lose(what: string, node: Nodes, text: string): void {
    this.draft.lose(what, this.lineOf(node), text);
  }

  /** Keeps the address of a definition by its label; the first one of a label counts. */
  define(label: string, address: string): void {
    if (!this.addresses.has(label)) this.addresses.set(label, address);
  }

  /** The address of a definition that a link names. */
  addressOf(label: string): string | undefined {
    this.usedLabels.add(label);
    return this.addresses.get(label);
  }

  /** Whether a link has named the label. */
  isUsed(label: string): boolean {
    return this.usedLabels.has(label);
  }
}
