import { EditorView } from '@codemirror/view';

/** A line of its own in the grid, which does not widen the columns. */
const wholeLine = { gridColumn: '1 / -1', width: '0', minWidth: '100%' };

/** How the choice below a row looks. */
export const conflictTheme = EditorView.baseTheme({
  // Padding and no margin: the editor measures what it places, and would put the lines below too high.
  '.cm-conflict': { padding: '4px 24px 8px', whiteSpace: 'normal', cursor: 'default' },
  '.cm-conflict-box': {
    display: 'grid',
    gridTemplateColumns: 'max-content minmax(0, max-content) max-content',
    alignItems: 'center',
    gap: '4px 8px',
    padding: '8px 12px',
    border: '1px solid var(--ds-border-warning, #E06C00)',
    borderRadius: '6px',
    backgroundColor: 'var(--ds-background-warning, #FFF5DB)',
    color: 'var(--ds-text, #292A2E)',
    fontSize: '12px',
    lineHeight: '20px',
  },
  '@media (max-width: 480px)': { '.cm-conflict-box': { gridTemplateColumns: 'minmax(0, 1fr)', justifyItems: 'start' } },
  '.cm-conflict-title': { ...wholeLine, fontWeight: '600' },
  // The parts of both sides are below each other.
  '.cm-conflict-side': { display: 'contents' },
  '.cm-conflict-whose': { color: 'var(--ds-text-subtle, #505258)' },
  '.cm-conflict-value': {
    minWidth: '0',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    maxHeight: '40vh',
    overflow: 'auto',
  },
  '.cm-conflict-trouble': { ...wholeLine, color: 'var(--ds-text-danger, #AE2E24)' },
  '.cm-conflict-trouble:empty': { display: 'none' },
  '.cm-conflict-steps': { ...wholeLine, display: 'flex', alignItems: 'center', gap: '8px' },
  '.cm-conflict-steps:empty': { display: 'none' },
  '.cm-conflict-button': {
    padding: '0 8px',
    border: '1px solid var(--ds-border, #0B120E24)',
    borderRadius: '3px',
    backgroundColor: 'var(--ds-surface, #FFFFFF)',
    color: 'var(--ds-text, #292A2E)',
    font: 'inherit',
    lineHeight: '24px',
    cursor: 'pointer',
  },
  '.cm-conflict-button:hover': { backgroundColor: 'var(--ds-surface-hovered, #F0F1F2)' },
  '.cm-conflict-button:focus-visible': { outline: '2px solid var(--ds-border-focused, #4688EC)', outlineOffset: '1px' },
});
