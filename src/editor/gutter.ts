import { isolateHistory } from '@codemirror/commands';
import { foldedRanges } from '@codemirror/language';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView, GutterMarker, gutter } from '@codemirror/view';
import type { Status } from '../domain/statuses.ts';
import { toggleChecked } from '../text/edits.ts';
import { EditRefused } from '../text/errors.ts';
import { targetOf } from '../text/rows.ts';
import type { HeaderRow, Row } from '../text/types.ts';
import { checklistOf, type PlacedRow, rowAt } from './checklist.ts';
import { foldAt, toggleFold } from './commands/folding.ts';
import { element } from './element.ts';
import { foldIcon, statusIcon } from './gutter/icons.ts';
import { gutterTheme } from './gutter/theme.ts';

/** Ticks or unticks the item at an index: one undo step, announced; so is a refusal. */
export function tick(view: EditorView, index: number): void {
  const checklist = checklistOf(view.state);
  const row = checklist.rows[index];
  if (row?.kind !== 'checkbox' || view.state.readOnly || view.composing) return;
  try {
    view.dispatch({
      changes: toggleChecked(checklist, targetOf(checklist, index)),
      userEvent: 'input.status',
      annotations: isolateHistory.of('full'),
      effects: EditorView.announce.of(row.status.checked ? 'Not done' : 'Done'),
    });
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    view.dispatch({ effects: EditorView.announce.of(error.message) });
  }
}

/** A marker beside a line. It is not focusable and hidden from screen readers, since there are shortcuts for it. */
class LineMarker extends GutterMarker {
  private readonly name: string;
  private readonly className: string;
  private readonly draw: () => SVGElement;

  /** `name` describes the marker's content and, if a click has an effect, that effect. */
  constructor(name: string, className: string, draw: () => SVGElement) {
    super();
    this.name = name;
    this.className = className;
    this.draw = draw;
  }

  override eq(other: LineMarker): boolean {
    return other.name === this.name && other.className === this.className;
  }

  override toDOM(): HTMLElement {
    const dom = element('div', `cm-check-tick ${this.className}`);
    dom.title = this.name;
    dom.append(this.draw());
    return dom;
  }
}

function statusMarker(status: Status, editable: boolean): LineMarker {
  const { name, checked, color } = status;
  const action = checked ? 'Click to reopen' : 'Click when done';
  return editable
    ? new LineMarker(`${name}. ${action}`, `cm-check-tick-${color} cm-check-tick-active`, () => statusIcon(status))
    : new LineMarker(name, `cm-check-tick-${color}`, () => statusIcon(status));
}

function foldMarker(state: EditorState, from: number, level: HeaderRow['level']): LineMarker | null {
  const fold = foldAt(state, from);
  if (!fold) return null;
  const name = fold.folded ? 'Show this section' : 'Fold this section';
  return new LineMarker(name, `cm-check-tick-active cm-check-tick-h${level}`, () => foldIcon(fold.folded));
}

/** The row whose first line begins there. */
function rowFrom(state: EditorState, from: number): PlacedRow | undefined {
  const placed = rowAt(checklistOf(state), from);
  return placed?.start === from ? placed : undefined;
}

function markerOf({ state }: EditorView, from: number): LineMarker | null {
  const row = rowFrom(state, from)?.row;
  if (!row) return null;
  return row.kind === 'checkbox' ? statusMarker(row.status, !state.readOnly) : foldMarker(state, from, row.level);
}

/** Rows on which a button was pressed and not yet released. */
const pressed = new WeakMap<EditorView, Row>();

/** Runs the action of a line's marker if the line is still the row that was pressed. */
function activate(view: EditorView, from: number): boolean {
  const placed = rowFrom(view.state, from);
  if (!placed || placed.row !== pressed.get(view)) return false;
  pressed.delete(view);
  if (placed.row.kind === 'header') toggleFold(view, from);
  else tick(view, placed.index);
  return true;
}

/** Beside each item its status, which a click changes, and beside each header whether its section is folded. */
export const statusGutter: Extension = [
  gutter({
    class: 'cm-check-gutter',
    lineMarker: (view, line) => markerOf(view, line.from),
    lineMarkerChange: ({ startState, state }) =>
      checklistOf(startState) !== checklistOf(state) ||
      startState.readOnly !== state.readOnly ||
      foldedRanges(startState) !== foldedRanges(state),
    domEventHandlers: {
      mousedown: (view, line, event) => {
        const row = rowFrom(view.state, line.from)?.row;
        if (!row || !(event instanceof MouseEvent) || event.button !== 0) return false;
        pressed.set(view, row);
        // The focus stays in the text.
        return true;
      },
      click: (view, line) => activate(view, line.from),
    },
  }),
  gutterTheme,
];
