import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

const neutral = 'var(--ds-background-neutral, #0515240F)';

/** Chips are as high as a line, so that none makes its line jump when its text turns into it. */
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
    cursor: 'pointer',
    // A name in another direction of writing does not reorder the text beside it.
    unicodeBidi: 'isolate',
  },
  '.cm-chip-person': {
    borderRadius: '10px',
    color: 'var(--ds-text-selected, #1868DB)',
    backgroundColor: 'var(--ds-background-selected, #E9F2FE)',
  },
  // Its text stays in the page (`name.ts`). The brackets are its margins.
  '.cm-chip-name': {
    borderRadius: '10px',
    whiteSpace: 'nowrap',
    backgroundColor: 'var(--ds-background-selected, #E9F2FE)',
    unicodeBidi: 'isolate',
  },
  '.cm-chip-name, .cm-chip-name *': { color: 'transparent' },
  '.cm-chip-name-text, .cm-chip-name-text *': { fontSize: '0' },
  '.cm-chip-name-text::before': {
    content: 'attr(data-words)',
    color: 'var(--ds-text-selected, #1868DB)',
    fontSize: '14px',
  },
  '.cm-chip-picture': {
    width: '16px',
    height: '16px',
    marginRight: '4px',
    borderRadius: '50%',
    verticalAlign: '-3px',
  },
  '.cm-chip-priority': { flex: 'none', width: '16px', height: '16px', alignSelf: 'center' },
  '.cm-chip-day, .cm-chip-issue, .cm-chip-mark': { backgroundColor: neutral },
  // Smaller than the header that it stands in.
  '.cm-chip-mark': { fontSize: '12px', fontWeight: '400', color: 'var(--ds-text-subtle, #505258)' },
  '.cm-chip-overdue': {
    color: 'var(--ds-text-danger, #AE2E24)',
    backgroundColor: 'var(--ds-background-danger, #FFECEB)',
  },
  '.cm-chip-today': {
    color: 'var(--ds-text-warning, #9E4C00)',
    backgroundColor: 'var(--ds-background-warning, #FFF5DB)',
  },
  '.cm-chip-overdue .cm-chip-note, .cm-chip-today .cm-chip-note': { fontWeight: '600' },
  // Of a key, a title and a status the title gives way.
  '.cm-chip-issue': { display: 'inline-flex', gap: '4px' },
  // The pressed link's colour, which is readable on the current line as well.
  '.cm-chip-issue .cm-chip-words': { flex: 'none', color: 'var(--ds-link-pressed, #1558BC)' },
  '.cm-chip-issue .cm-chip-lozenge': { flex: 'none' },
  '.cm-chip-issue .cm-chip-note': {
    maxWidth: '24em',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    color: 'var(--ds-text, #292A2E)',
  },
  // No wider than the editor, although a chip does not wrap.
  '.cm-content': { minWidth: '0' },
  '.cm-chip-emoji, .cm-chip-status': { padding: '0' },
  '.cm-chip-selected-alone': {
    outline: '2px solid var(--ds-border-selected, #1868DB)',
    outlineOffset: '-1px',
  },
  // The selection is drawn behind the text, where a chip of its own colour would hide it.
  '.cm-chip-selected-covered': { backgroundColor: 'var(--ds-background-accent-blue-subtler, #CFE1FD)' },

  '.cm-chip-lozenge': {
    padding: '0 4px',
    borderRadius: '3px',
    fontSize: '12px',
    fontWeight: '600',
  },
});
