import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

const layer = {
  border: 'none',
  borderRadius: '4px',
  color: 'var(--ds-text, #292A2E)',
  backgroundColor: 'var(--ds-surface-overlay, #FFFFFF)',
  boxShadow: 'var(--ds-shadow-overlay, 0 8px 12px #1E1F2126, 0 0 1px #1E1F214F)',
};

const button = {
  margin: '0',
  padding: '2px 8px',
  border: 'none',
  borderRadius: '3px',
  color: 'var(--ds-text, #292A2E)',
  font: 'inherit',
  cursor: 'pointer',
};

const hovered = { backgroundColor: 'var(--ds-background-neutral-hovered, #0B120E24)' };
const focused = { outline: '2px solid var(--ds-border-focused, #4688EC)', outlineOffset: '-2px' };

/** Wavy lines by kind of problem, and the popups with their messages. */
export const diagnosticsTheme: Extension = EditorView.theme({
  '.cm-lintRange-error, .cm-lintRange-warning': {
    backgroundImage: 'none',
    paddingBottom: '0',
    textDecorationLine: 'underline',
    textDecorationStyle: 'wavy',
    textDecorationThickness: '1px',
    textUnderlineOffset: '3px',
    textDecorationSkipInk: 'none',
  },
  '.cm-lintRange-error': { textDecorationColor: 'var(--ds-icon-danger, #C9372C)' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--ds-icon-warning, #E06C00)' },
  '.cm-lintRange-active': { backgroundColor: 'var(--ds-background-warning, #FFF5DB)' },
  '.cm-tooltip:has(.cm-tooltip-lint)': { ...layer, maxWidth: 'min(480px, 90vw)' },
  '.cm-tooltip-lint': { fontSize: '14px', lineHeight: '20px' },
  '.cm-diagnostic': { margin: '0', padding: '8px 12px' },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--ds-border-danger, #E2483D)' },
  '.cm-diagnostic-warning': { borderLeft: '4px solid var(--ds-border-warning, #E06C00)' },
  '.cm-diagnosticAction': {
    ...button,
    display: 'block',
    marginTop: '8px',
    backgroundColor: 'var(--ds-background-neutral, #0515240F)',
  },
  '.cm-diagnosticAction:hover': hovered,
  '.cm-diagnosticAction:focus-visible': focused,
  '.cm-tooltip.cm-check-fixes': { ...layer, padding: '4px 0' },
  '.cm-check-fixes button': {
    ...button,
    display: 'block',
    width: '100%',
    padding: '6px 12px',
    borderRadius: '0',
    textAlign: 'left',
    backgroundColor: 'transparent',
  },
  '.cm-check-fixes button:hover': hovered,
  '.cm-check-fixes button:focus': { ...hovered, ...focused },
});
