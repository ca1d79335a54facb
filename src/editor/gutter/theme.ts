import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** As high as a line of text, so that the picture stands beside the first of a wrapped one. */
export const gutterTheme: Extension = EditorView.theme({
  '.cm-gutters': {
    border: 'none',
    backgroundColor: 'var(--ds-surface, #FFFFFF)',
    color: 'var(--ds-icon-subtle, #505258)',
  },
  '.cm-check-gutter': { width: '32px', paddingLeft: '8px', boxSizing: 'border-box' },
  '.cm-check-tick': {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    width: '24px',
    height: '24px',
    borderRadius: '3px',
  },
  '.cm-check-tick-h1': { height: '32px' },
  '.cm-check-tick-h2': { height: '28px' },
  '.cm-check-tick.cm-check-tick-active': { cursor: 'pointer' },
  '.cm-check-tick.cm-check-tick-active:hover': {
    backgroundColor: 'var(--ds-background-neutral-subtle-hovered, #0515240F)',
  },
  // A finger's target. Lines grow with it, so that targets do not overlap.
  '@media (pointer: coarse)': {
    '.cm-check-gutter': { width: '44px', paddingLeft: '0' },
    '.cm-check-tick': { width: '44px', height: '44px' },
    '.cm-check-tick-h1': { height: '52px' },
    '.cm-check-tick-h2': { height: '48px' },
    '.cm-content .cm-line': { paddingTop: '10px', paddingBottom: '10px' },
  },
  '.cm-check-tick svg': { width: '16px', height: '16px' },
  '.cm-icon-line': { fill: 'none', stroke: 'currentColor', strokeWidth: '1.5' },
  '.cm-icon-status': { fill: 'currentColor', fillRule: 'evenodd' },
  '.cm-check-tick-purple': { color: 'var(--ds-icon-discovery, #AF59E1)' },
  '.cm-check-tick-blue': { color: 'var(--ds-icon-information, #357DE8)' },
  '.cm-check-tick-red': { color: 'var(--ds-icon-danger, #C9372C)' },
  '.cm-check-tick-yellow': { color: 'var(--ds-icon-warning, #E06C00)' },
  '.cm-check-tick-green': { color: 'var(--ds-icon-success, #6A9A23)' },
});
