import { syntaxTree } from '@codemirror/language';
import type { Extension, Range } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { noSpellCheck } from '../../grammar/props.ts';
import { builtInStatuses, type StatusColor } from '../domain/statuses.ts';
import type { Row } from '../text/types.ts';
import { checklistOf, rowsBetween } from './checklist.ts';

/**
 * Decorates whole lines by their rows: headers by level, status, details, and a custom status between its brackets.
 * Viewport only, and without widgets: those beside a cursor disturb input methods.
 */
export const lineDecorations: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = visibleLook(view);
    }

    update(update: ViewUpdate) {
      const isReparsed = syntaxTree(update.state) !== syntaxTree(update.startState);
      const isReread = checklistOf(update.state) !== checklistOf(update.startState);
      if (isReread || update.viewportChanged || isReparsed) this.decorations = visibleLook(update.view);
    }
  },
  { decorations: plugin => plugin.decorations },
);

const lineLooks = new Map<string, Decoration>();

/** One decoration per set of classes, shared by all lines of a kind. */
function lineLook(classes: string): Decoration {
  const cachedLook = lineLooks.get(classes);
  if (cachedLook) return cachedLook;
  const newLook = Decoration.line({ class: classes });
  lineLooks.set(classes, newLook);
  return newLook;
}

const words = Decoration.mark({ class: 'cm-check-text' });
const verbatim = Decoration.mark({ attributes: { spellcheck: 'false' } });
const statusLook = (color: StatusColor) => Decoration.mark({ class: `cm-check-status cm-check-status-${color}` });

const builtInSlugs: ReadonlySet<string> = new Set(builtInStatuses.map(({ slug }) => slug));

/** The classes of a row's first line, which its details share but for the level. */
function classesOf(row: Row): string {
  if (row.kind === 'header') return `cm-check-header cm-check-h${row.level}`;
  const { slug, checked } = row.status;
  if (builtInSlugs.has(slug)) return `cm-check-item cm-check-${slug.replaceAll('_', '-')}`;
  return checked ? 'cm-check-item cm-check-done' : 'cm-check-item';
}

function visibleLook(view: EditorView): DecorationSet {
  const { state } = view;
  const checklist = checklistOf(state);
  const ranges: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges) {
    for (const { row, start } of rowsBetween(checklist, from, to)) {
      const classes = classesOf(row);
      ranges.push(lineLook(classes).range(start));
      if (row.content.to > row.content.from) {
        ranges.push(words.range(start + row.content.from, start + row.content.to));
      }
      for (const detail of row.details) {
        const line = state.doc.lineAt(start + detail.from);
        if (line.from <= to && line.to >= from) ranges.push(lineLook('cm-check-detail').range(line.from));
      }
    }
    syntaxTree(state).iterate({
      from,
      to,
      enter: node => {
        if (node.type.prop(noSpellCheck)) ranges.push(verbatim.range(node.from, node.to));
        if (node.name === 'StatusLabel') {
          const [owner] = rowsBetween(checklist, node.from, node.from);
          const row = owner?.row;
          if (row?.kind === 'checkbox' && !builtInSlugs.has(row.status.slug)) {
            ranges.push(statusLook(row.status.color).range(node.from, node.to));
          }
        }
      },
    });
  }
  return Decoration.set(ranges, true);
}
