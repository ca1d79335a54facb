import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** Find and replace in the tracker's look. */
export const searchTheme: Extension = EditorView.theme({
  '.cm-panels': {
    color: 'var(--ds-text, #292A2E)',
    backgroundColor: 'var(--ds-surface-sunken, #F8F8F8)',
  },
  '.cm-panels-top': { borderBottom: '1px solid var(--ds-border, #0B120E24)' },
  '.cm-panel.cm-search': {
    position: 'relative',
    padding: '4px 48px 4px 24px',
    fontFamily: 'inherit',
  },
  '.cm-search-row': { display: 'flex', flexWrap: 'wrap', alignItems: 'center' },
  '.cm-search-row[hidden]': { display: 'none' },
  '.cm-search-count': {
    minWidth: '88px',
    margin: '4px 8px 4px 0',
    color: 'var(--ds-text-subtle, #505258)',
    fontSize: '14px',
    lineHeight: '20px',
  },
  '.cm-search-said': { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': {
    margin: '4px 8px 4px 0',
    verticalAlign: 'middle',
    fontSize: '14px',
    lineHeight: '20px',
  },
  '.cm-panel.cm-search .cm-textfield': {
    boxSizing: 'border-box',
    width: '240px',
    maxWidth: '100%',
    padding: '4px 8px',
    border: '1px solid var(--ds-border-input, #8C8F97)',
    borderRadius: '3px',
    color: 'var(--ds-text, #292A2E)',
    backgroundColor: 'var(--ds-background-input, #FFFFFF)',
  },
  '.cm-panel.cm-search .cm-textfield[aria-invalid=true]': {
    borderColor: 'var(--ds-border-danger, #E2483D)',
  },
  '.cm-panel.cm-search .cm-textfield::placeholder': { color: 'var(--ds-text-subtlest, #6B6E76)' },
  '.cm-panel.cm-search .cm-button': {
    padding: '4px 12px',
    border: '1px solid var(--ds-border, #0B120E24)',
    borderRadius: '3px',
    color: 'var(--ds-text-subtle, #505258)',
    backgroundImage: 'none',
    backgroundColor: 'var(--ds-background-neutral-subtle, #00000000)',
    fontWeight: '500',
    cursor: 'pointer',
  },
  '.cm-panel.cm-search .cm-button:hover': {
    backgroundColor: 'var(--ds-background-neutral-subtle-hovered, #0515240F)',
  },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', gap: '4px' },
  '.cm-panel.cm-search input[type=checkbox]': { width: '16px', height: '16px', margin: '0' },
  '.cm-panel.cm-search :focus-visible': {
    outline: '2px solid var(--ds-border-focused, #4688EC)',
    outlineOffset: '1px',
  },
  '.cm-panel.cm-search [name=close]': {
    position: 'absolute',
    top: '8px',
    right: '16px',
    width: '28px',
    height: '28px',
    margin: '0',
    padding: '0',
    border: 'none',
    borderRadius: '3px',
    backgroundColor: 'transparent',
    color: 'var(--ds-text-subtle, #505258)',
    fontSize: '20px',
    cursor: 'pointer',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--ds-background-accent-yellow-subtler, #F5E989)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--ds-background-accent-orange-subtle, #FCA700)' },
  // A chip's own colour would hide that it matches.
  '.cm-searchMatch .cm-chip, .cm-searchMatch .cm-chip-lozenge': { backgroundColor: 'transparent' },
  '.cm-searchMatch, .cm-searchMatch *': { color: 'var(--ds-text, #292A2E)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--ds-background-accent-gray-subtlest, #F0F1F2)' },
  '@media (max-width: 480px)': {
    '.cm-panel.cm-search': { paddingLeft: '16px' },
  },
});
