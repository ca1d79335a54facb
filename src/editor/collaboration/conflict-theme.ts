import { EditorView } from '@codemirror/view';

/** How the choice below a row looks. */
export const conflictTheme = EditorView.baseTheme({
  // Padding and no margin: the editor measures what it places, and would put the lines below too high.
  '.cm-conflict': { padding: '4px 24px 8px', whiteSpace: 'normal', cursor: 'default' },
  '.cm-conflict-box': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '4px 16px',
    padding: '8px 12px',
    border: '1px solid var(--ds-border-warning, #E06C00)',
    borderRadius: '6px',
    backgroundColor: 'var(--ds-background-warning, #FFF5DB)',
    color: 'var(--ds-text, #292A2E)',
    fontSize: '12px',
    lineHeight: '20px',
  },
  '.cm-conflict-title': { flexBasis: '100%', fontWeight: '600' },
  '.cm-conflict-side': { display: 'inline-flex', alignItems: 'center', gap: '8px', minWidth: '0', maxWidth: '100%' },
  // As wide as its word: beside a long value it would break between letters.
  '.cm-conflict-whose': { flex: 'none', color: 'var(--ds-text-subtle, #505258)' },
  '.cm-conflict-value': {
    minWidth: '0',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    maxHeight: '80px',
    overflow: 'auto',
  },
  '.cm-conflict-trouble': { flexBasis: '100%', color: 'var(--ds-text-danger, #AE2E24)' },
  '.cm-conflict-trouble:empty': { display: 'none' },
  '.cm-conflict-steps': { display: 'inline-flex', alignItems: 'center', gap: '8px', marginLeft: 'auto' },
  '.cm-conflict-button': {
    flex: 'none',
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
