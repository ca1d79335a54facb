import type { CompletionContext } from '@codemirror/autocomplete';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode, Tree } from '@lezer/common';

/** What is typed before the cursor and asks for a completion. */
export interface Trigger {
  /** Where it begins, its signs included. */
  from: number;
  /** What stands between the signs and the cursor. */
  query: string;
}

/** Milliseconds that the tree may take to reach the cursor. */
const PARSE_TIMEOUT = 50;

/** The tree, which reaches at least this position where there was time for it. */
export const treeAt = (state: EditorState, position: number): Tree =>
  ensureSyntaxTree(state, position, PARSE_TIMEOUT) ?? syntaxTree(state);

/** Nodes without completions: text typed there belongs to them. */
const refusing: ReadonlySet<string> = new Set(['Code', 'Link', 'LinkTarget', 'Url', 'IssueUrl', 'Mention']);

/** Whether a position lies inside code, a link or an address. */
function isRefused(state: EditorState, position: number): boolean {
  let node: SyntaxNode | null = treeAt(state, position).resolveInner(position, 1);
  for (; node; node = node.parent) if (refusing.has(node.name) && node.from <= position) return true;
  return false;
}

/**
 * What an expression finds at the end of the line before the cursor, where a completion may stand. Its group is the
 * query. An expression looks behind for what may or may not precede it, so that its match begins with its signs.
 */
export function triggered({ state, pos }: CompletionContext, expression: RegExp): Trigger | undefined {
  if (state.readOnly) return undefined;
  const line = state.doc.lineAt(pos);
  const found = expression.exec(line.text.slice(0, pos - line.from));
  if (!found) return undefined;
  const from = line.from + found.index;
  if (isRefused(state, from)) return undefined;
  // A word continues behind the cursor: it is not being typed.
  if (/^[\p{L}\p{N}_]/u.test(state.sliceDoc(pos, Math.min(pos + 2, state.doc.length)))) return undefined;
  return { from, query: found[1] ?? '' };
}
