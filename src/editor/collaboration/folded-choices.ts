import { foldedRanges } from '@codemirror/language';
import type { Range } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate, WidgetType } from '@codemirror/view';
import { conflicts as words } from '../../domain/messages.ts';
import { button } from '../element.ts';
import { choicePositions, goToChoice } from './conflicts.ts';

/** Says in a folded section's header that choices are open in the section, and leads to the first one. */
class FoldedChoices extends WidgetType {
  private readonly count: number;

  constructor(count: number) {
    super();
    this.count = count;
  }

  override eq(other: FoldedChoices): boolean {
    return other.count === this.count;
  }

  override toDOM(view: EditorView): HTMLElement {
    const mark = button('cm-folded-choices', words.open(this.count), () => {
      // The choice is the next one after the header; the cursor unfolds the section.
      view.dispatch({ selection: { anchor: view.posAtDOM(mark) } });
      goToChoice(view);
    });
    mark.setAttribute('aria-label', words.openInFolded(this.count));
    return mark;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function marksIn({ state }: EditorView): DecorationSet {
  const positions = choicePositions(state);
  if (positions.length === 0) return Decoration.none;
  const marks: Range<Decoration>[] = [];
  foldedRanges(state).between(0, state.doc.length, (from, to) => {
    const count = positions.filter(position => position > from && position <= to).length;
    if (count > 0) marks.push(Decoration.widget({ widget: new FoldedChoices(count), side: -1 }).range(from));
  });
  return Decoration.set(marks, true);
}

const marks = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = marksIn(view);
    }

    update({ view, transactions }: ViewUpdate) {
      if (transactions.length > 0) this.decorations = marksIn(view);
    }
  },
  { decorations: plugin => plugin.decorations },
);

const look = EditorView.baseTheme({
  '.cm-folded-choices': {
    margin: '0 4px',
    padding: '0 6px',
    border: '1px solid var(--ds-border-warning, #E06C00)',
    borderRadius: '3px',
    backgroundColor: 'var(--ds-background-warning, #FFF5DB)',
    color: 'var(--ds-text, #292A2E)',
    font: 'inherit',
    fontSize: '12px',
    lineHeight: '18px',
    cursor: 'pointer',
  },
  '.cm-folded-choices:focus-visible': { outline: '2px solid var(--ds-border-focused, #4688EC)', outlineOffset: '1px' },
});

/** Marks the headers of folded sections in which choices are open. */
export const foldedChoices = [marks, look];
