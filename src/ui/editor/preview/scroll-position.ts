import { EditorView } from '@codemirror/view';
import { lastRowBefore } from '../../../editor/index.ts';
import type { Checklist } from '../../../text/types.ts';
import { BLOCK } from './block.tsx';

/** A place in a checklist: a row, and how much of it lies above the edge, 0 to 1. */
interface Place {
  index: number;
  part: number;
}

const clamped = (part: number) => Math.min(Math.max(part, 0), 1);

/** Where a row stands in the editor's text, in pixels from the text's top. */
function bandOf(view: EditorView, { starts, rows }: Checklist, index: number): { top: number; height: number } {
  const from = starts[index] ?? 0;
  const length = view.state.doc.length;
  const to = from + Math.max((rows[index]?.length ?? 1) - 1, 0);
  const top = view.lineBlockAt(Math.min(from, length)).top;
  return { top, height: view.lineBlockAt(Math.min(to, length)).bottom - top };
}

/** The row at the upper edge of the editor. */
export function placeInText(view: EditorView, checklist: Checklist): Place | undefined {
  const edge = view.scrollDOM.scrollTop - view.documentPadding.top;
  const index = Math.max(lastRowBefore(checklist, view.lineBlockAtHeight(Math.max(edge, 0)).from), 0);
  if (!checklist.rows[index]) return undefined;
  const { top, height } = bandOf(view, checklist, index);
  return { index, part: clamped((edge - top) / height) };
}

/** Scrolls the editor so that a row stands at its upper edge, once the lines on the way there have been measured. */
export function scrollText(view: EditorView, checklist: Checklist, { index, part }: Place): void {
  const from = Math.min(checklist.starts[index] ?? 0, view.state.doc.length);
  const { height } = bandOf(view, checklist, index);
  view.dispatch({ effects: EditorView.scrollIntoView(from, { y: 'start', yMargin: -part * height }) });
}

/** The row at the upper edge of the preview, as far as blocks of rows are there. */
export function placeInPreview(pane: HTMLElement, list: HTMLElement): Place | undefined {
  const edge = pane.getBoundingClientRect().top;
  const blocks = [...list.children];
  const number = blocks.findIndex(block => block.getBoundingClientRect().bottom > edge);
  const block = blocks[number];
  if (!block) return undefined;
  const rows = [...block.children];
  const at = rows.findIndex(row => row.getBoundingClientRect().bottom > edge);
  const box = (rows[at] ?? block).getBoundingClientRect();
  const part = clamped((edge - box.top) / box.height);
  if (rows[at]) return { index: number * BLOCK + at, part };
  return { index: number * BLOCK + Math.floor(part * (BLOCK - 1)), part: 0 };
}

/** Scrolls the preview so that a row, or where it will be, stands at its upper edge. */
export function scrollPreview(pane: HTMLElement, list: HTMLElement, { index, part }: Place): void {
  const block = list.children[Math.floor(index / BLOCK)];
  if (!block) return;
  const row = block.children[index % BLOCK];
  const box = (row ?? block).getBoundingClientRect();
  const within = row ? part : (index % BLOCK) / BLOCK;
  pane.scrollTop += box.top + within * box.height - pane.getBoundingClientRect().top;
}

/** At its top or at its bottom, both sides are. */
export function edgeOf({ scrollTop, scrollHeight, clientHeight }: HTMLElement): 'top' | 'bottom' | undefined {
  if (scrollTop <= 1) return 'top';
  return scrollTop >= scrollHeight - clientHeight - 1 ? 'bottom' : undefined;
}
