import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

const neutral = 'var(--ds-background-neutral, #0515240F)';

/** Chips are as high as a line, so that none makes its line jump when it turns into its text. */
export const chipTheme: Extension = EditorView.theme({
  '.cm-chip': {
    display: 'inline-block',
    maxWidth: '100%',
    padding: '0 4px',
    boxSizing: 'border-box',
    borderRadius: '3px',
    lineHeight: '20px',
    verticalAlign: 'middle',
    whiteSpace: 'nowrap',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    cursor: 'text',
  },
  '.cm-chip-text + .cm-chip': { marginLeft: '4px' },
  '.cm-chip-text': { borderRadius: '3px' },
  '.cm-chip-person': {
    borderRadius: '10px',
    color: 'var(--ds-text-selected, #1868DB)',
    backgroundColor: 'var(--ds-background-selected, #E9F2FE)',
  },
  '.cm-chip-picture': {
    width: '16px',
    height: '16px',
    marginRight: '4px',
    borderRadius: '50%',
    verticalAlign: '-3px',
  },
  '.cm-chip-day, .cm-chip-issue': { backgroundColor: neutral },
  '.cm-chip-overdue': {
    color: 'var(--ds-text-danger, #AE2E24)',
    backgroundColor: 'var(--ds-background-danger, #FFECEB)',
  },
  '.cm-chip-today': {
    color: 'var(--ds-text-warning, #9E4C00)',
    backgroundColor: 'var(--ds-background-warning, #FFF5DB)',
  },
  '.cm-chip-overdue .cm-chip-note, .cm-chip-today .cm-chip-note': { fontWeight: '600' },
  '.cm-chip-issue .cm-chip-words': { color: 'var(--ds-link, #1868DB)' },
  '.cm-chip-issue .cm-chip-note': {
    display: 'inline-block',
    maxWidth: '24em',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    verticalAlign: 'bottom',
    color: 'var(--ds-text, #292A2E)',
  },
  '.cm-chip-emoji, .cm-chip-status': { padding: '0' },
  '.cm-chip-lozenge': {
    padding: '0 4px',
    borderRadius: '3px',
    fontSize: '12px',
    fontWeight: '600',
  },
});
