import { unifiedMergeView } from '@codemirror/merge';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { StatusRegistry } from '../text/status-registry.ts';
import { checklistField, statusesOf } from './checklist.ts';
import { access } from './input.ts';
import { checklistLanguage, highlight } from './language.ts';
import { lineDecorations } from './line-decorations.ts';
import { theme } from './theme.ts';

const colours = EditorView.theme({
  '&': { height: 'auto' },
  '.cm-content': { padding: '4px 0' },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': {
    backgroundColor: 'var(--ds-background-success, #EFFFD6)',
  },
  '.cm-deletedChunk': { backgroundColor: 'var(--ds-background-danger, #FFECEB)', padding: '0 24px 0 8px' },
  '&.cm-merge-b .cm-changedText': { background: 'var(--ds-background-success-hovered, #D3F1A7)' },
  '.cm-deletedChunk .cm-deletedText': { background: 'var(--ds-background-danger-hovered, #FFD5D2)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--ds-border-success, #6A9A23)' },
  '.cm-deletedLineGutter': { background: 'var(--ds-border-danger, #E2483D)' },
  '.cm-collapsedLines': {
    padding: '2px 8px',
    background: 'var(--ds-background-neutral, #0515240F)',
    color: 'var(--ds-text-subtle, #505258)',
  },
  // The default marker is missing in most fonts.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"' },
  '.cm-gutters': { background: 'transparent', border: 'none' },
});

/** A read-only text with its changes since `original`; long unchanged runs are folded. */
export const diffView = (original: string, label: string, statuses?: StatusRegistry): Extension => [
  checklistLanguage,
  statusesOf(statuses),
  checklistField,
  highlight,
  lineDecorations,
  unifiedMergeView({
    original,
    mergeControls: false,
    gutter: true,
    collapseUnchanged: { margin: 2, minSize: 4 },
  }),
  access(false),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  EditorView.lineWrapping,
  theme,
  colours,
];
