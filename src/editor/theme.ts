import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * The editor's colours and measures, all of them the tracker's design tokens, so that light and dark follow the host;
 * each fallback is the light theme's value. Line kinds carry the classes that `look.ts` sets.
 */
export const theme: Extension = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--ds-text, #292A2E)',
    backgroundColor: 'var(--ds-surface, #FFFFFF)',
    fontSize: '14px',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'inherit',
    lineHeight: '24px',
    overflow: 'auto',
  },
  '.cm-content': { padding: '16px 0', caretColor: 'var(--ds-text, #292A2E)' },
  '.cm-line': { padding: '0 24px 0 8px' },
  '.cm-cursor': { borderLeftColor: 'var(--ds-text, #292A2E)' },
  '.cm-placeholder': { color: 'var(--ds-text-subtlest, #6B6E76)', whiteSpace: 'pre-wrap' },
  '.cm-activeLine': { backgroundColor: 'var(--ds-background-neutral-subtle-hovered, #0515240F)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--ds-background-accent-blue-subtler, #CFE1FD)',
  },

  '.cm-check-header': { fontWeight: '600' },
  '.cm-check-h1': { fontSize: '20px', lineHeight: '32px' },
  '.cm-check-h2': { fontSize: '16px', lineHeight: '28px' },
  '.cm-check-done, .cm-check-skipped': { color: 'var(--ds-text-subtlest, #6B6E76)' },
  '.cm-check-skipped .cm-check-text': { textDecoration: 'line-through' },
  '.cm-check-detail': { paddingLeft: '32px', color: 'var(--ds-text-subtle, #505258)' },
  '.cm-check-mark': { fontWeight: '600', color: 'var(--ds-text-subtle, #505258)' },
  '.cm-check-done .cm-check-mark': { color: 'var(--ds-text-success, #4C6B1F)' },
  '.cm-check-in-progress .cm-check-mark': { color: 'var(--ds-text-information, #1558BC)' },
  '.cm-check-skipped .cm-check-mark': { color: 'var(--ds-text-warning, #9E4C00)' },
  '.cm-check-mandatory': { fontWeight: '600', color: 'var(--ds-text-danger, #AE2E24)' },
  '.cm-check-status': { borderRadius: '3px', padding: '0 2px' },
  ...statusColors(),
});

/** The kit's lozenge colours for a custom status between its brackets; the name is there to read in any case. */
function statusColors() {
  const colors = {
    gray: ['neutral', '#0515240F', 'subtle', '#505258'],
    purple: ['discovery', '#F8EEFE', 'discovery', '#803FA5'],
    blue: ['information', '#E9F2FE', 'information', '#1558BC'],
    red: ['danger', '#FFECEB', 'danger', '#AE2E24'],
    yellow: ['warning', '#FFF5DB', 'warning', '#9E4C00'],
    green: ['success', '#EFFFD6', 'success', '#4C6B1F'],
  };
  return Object.fromEntries(
    Object.entries(colors).map(([color, [background, backgroundFallback, text, textFallback]]) => [
      `.cm-check-status-${color}`,
      {
        backgroundColor: `var(--ds-background-${background}, ${backgroundFallback})`,
        color: `var(--ds-text-${text}, ${textFallback})`,
      },
    ]),
  );
}
