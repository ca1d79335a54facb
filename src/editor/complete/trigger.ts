import type { CompletionContext } from '@codemirror/autocomplete';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode, Tree } from '@lezer/common';

/** The text before the cursor that asks for a completion. */
export interface Trigger {
  /** The start of the trigger, its signs included. */
  from: number;
  /** The text between the signs and the cursor. */
  query: string;
}

/** The tree must reach the cursor within this time. */
const PARSE_TIMEOUT_MS = 50;

/** The tree, which reaches at least this position if the time was enough. */
export const treeAt = (state: EditorState, position: number): Tree =>
  ensureSyntaxTree(state, position, PARSE_TIMEOUT_MS) ?? syntaxTree(state);

/** Nodes without completions: text typed there belongs to them. */
const refusing: ReadonlySet<string> = new Set(['Code', 'Link', 'LinkTarget', 'Url', 'IssueUrl', 'Mention']);

/** Whether a position lies inside code, a link or an address. */
function isRefused(state: EditorState, position: number): boolean {
  let node: SyntaxNode | null = treeAt(state, position).resolveInner(position, 1);
  for (; node; node = node.parent) if (refusing.has(node.name) && node.from <= position) return true;
  return false;
}

/**
 * Matches an expression at the end of the line before the cursor, if a completion may stand there. The expression's
 * group is the query. Conditions on the text before the signs are lookbehinds, so that the match begins with its signs.
 */
export function triggered({ state, pos }: CompletionContext, expression: RegExp): Trigger | undefined {
  if (state.readOnly) return undefined;
  const line = state.doc.lineAt(pos);
  const match = expression.exec(line.text.slice(0, pos - line.from));
  if (!match) return undefined;
  const from = line.from + match.index;
  if (isRefused(state, from)) return undefined;
  // A word continues behind the cursor: it is not being typed.
  if (/^[\p{L}\p{N}_]/u.test(state.sliceDoc(pos, Math.min(pos + 2, state.doc.length)))) return undefined;
  return { from, query: match[1] ?? '' };
}
