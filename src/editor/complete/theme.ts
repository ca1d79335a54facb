import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { StatusColor } from '../../domain/statuses.ts';

/** The layers look like the tracker's own; every fallback is the light theme's value. */
const layer = {
  border: 'none',
  borderRadius: '6px',
  backgroundColor: 'var(--ds-surface-overlay, #FFFFFF)',
  boxShadow: 'var(--ds-shadow-overlay, 0px 8px 12px #1E1F2126, 0px 0px 1px #1E1F214F)',
  color: 'var(--ds-text, #292A2E)',
  fontSize: '14px',
};

const dots: Record<StatusColor, string> = {
  gray: 'var(--ds-icon-subtle, #505258)',
  purple: 'var(--ds-icon-discovery, #AF59E1)',
  blue: 'var(--ds-icon-information, #357DE8)',
  red: 'var(--ds-icon-danger, #C9372C)',
  yellow: 'var(--ds-icon-warning, #E06C00)',
  green: 'var(--ds-icon-success, #6A9A23)',
};

const lozenges = {
  default: ['var(--ds-background-neutral, #0515240F)', 'var(--ds-text-subtle, #505258)'],
  inprogress: ['var(--ds-background-information, #E9F2FE)', 'var(--ds-text-information, #1558BC)'],
  success: ['var(--ds-background-success, #EFFFD6)', 'var(--ds-text-success, #4C6B1F)'],
};

const ellipsis = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' };

/** The look of the lists, of the line in their place and of the calendar's popover. */
export const completionTheme: Extension = EditorView.theme({
  '.cm-tooltip:is(.cm-tooltip-autocomplete, .cm-complete-hint, .cm-complete-calendar, .cm-day-offer)': layer,
  '.cm-tooltip.cm-complete-hint': {
    padding: '8px 12px',
    maxWidth: 'min(320px, 92vw)',
    overflowWrap: 'anywhere',
    color: 'var(--ds-text-subtle, #505258)',
  },
  '.cm-tooltip.cm-complete-calendar': { maxWidth: '96vw', padding: '8px', overflow: 'auto' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    boxSizing: 'border-box',
    minWidth: 'min(240px, 92vw)',
    maxWidth: 'min(440px, 92vw)',
    maxHeight: '296px',
    padding: '4px 0',
    fontFamily: 'inherit',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    alignItems: 'center',
    gap: '8px',
    minHeight: '24px',
    padding: '4px 12px',
    borderLeft: '2px solid transparent',
    lineHeight: '20px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    borderLeftColor: 'var(--ds-border-selected, #1868DB)',
    background: 'var(--ds-background-selected, #E9F2FE)',
    color: 'var(--ds-text-selected, #1868DB)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li:hover:not([aria-selected])': {
    background: 'var(--ds-background-neutral-subtle-hovered, #0515240F)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete.cm-tooltip-autocomplete-disabled > ul > li': {
    color: 'var(--ds-text-subtlest, #6B6E76)',
  },
  '.cm-completionLabel': { flex: '0 1 auto', ...ellipsis },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': {
    flex: '1 1 0',
    minWidth: '40px',
    marginLeft: '0',
    color: 'var(--ds-text-subtle, #505258)',
    fontStyle: 'normal',
    ...ellipsis,
  },
  '.cm-complete-avatar, .cm-complete-icon': { flex: 'none', width: '24px', height: '24px' },
  '.cm-complete-avatar': { borderRadius: '50%' },
  '.cm-complete-icon': { width: '16px', height: '16px' },
  '.cm-complete-initials': {
    backgroundColor: 'var(--ds-background-neutral-bold, #292A2E)',
    color: 'var(--ds-text-inverse, #FFFFFF)',
    fontSize: '10px',
    lineHeight: '24px',
    textAlign: 'center',
  },
  '.cm-complete-glyph': { flex: 'none', width: '24px', fontSize: '18px', textAlign: 'center' },
  '.cm-complete-sign': {
    flex: 'none',
    minWidth: '24px',
    padding: '0 4px',
    boxSizing: 'border-box',
    borderRadius: '3px',
    backgroundColor: 'var(--ds-background-neutral, #0515240F)',
    color: 'var(--ds-text-subtle, #505258)',
    fontSize: '12px',
    textAlign: 'center',
  },
  '.cm-complete-dot': { flex: 'none', width: '12px', height: '12px', borderRadius: '50%' },
  ...Object.fromEntries(
    Object.entries(dots).map(([color, backgroundColor]) => [`.cm-complete-dot-${color}`, { backgroundColor }]),
  ),
  '.cm-complete-lozenge': {
    flex: 'none',
    maxWidth: '40%',
    marginLeft: 'auto',
    padding: '0 4px',
    borderRadius: '3px',
    fontSize: '11px',
    fontWeight: '600',
    lineHeight: '16px',
    ...ellipsis,
  },
  ...Object.fromEntries(
    Object.entries(lozenges).map(([look, [backgroundColor, color]]) => [
      `.cm-complete-lozenge-${look}`,
      { backgroundColor: backgroundColor ?? '', color: color ?? '' },
    ]),
  ),
});
