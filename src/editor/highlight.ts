import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';

/** What stands inside a line. Whole lines (headers, done, skipped, details) get their look from the rows, in `look.ts`. */
const style = HighlightStyle.define([
  { tag: tags.list, class: 'cm-check-mark' },
  { tag: tags.processingInstruction, color: 'var(--ds-text-subtlest, #6B6E76)', fontWeight: '400' },
  { tag: tags.modifier, class: 'cm-check-mandatory' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  {
    tag: tags.monospace,
    fontFamily: 'var(--ds-font-family-code, ui-monospace, Menlo, "Segoe UI Mono", "Ubuntu Mono", monospace)',
    backgroundColor: 'var(--ds-background-neutral, #0515240F)',
    borderRadius: '3px',
  },
  { tag: tags.link, color: 'var(--ds-link, #1868DB)' },
  { tag: tags.url, color: 'var(--ds-link, #1868DB)', textDecoration: 'underline' },
  { tag: tags.name, color: 'var(--ds-link, #1868DB)' },
  {
    tag: tags.atom,
    color: 'var(--ds-text-selected, #1868DB)',
    backgroundColor: 'var(--ds-background-selected, #E9F2FE)',
    borderRadius: '3px',
  },
  { tag: tags.annotation, color: 'var(--ds-text-subtle, #505258)', fontWeight: '400' },
  { tag: tags.literal, backgroundColor: 'var(--ds-background-neutral, #0515240F)', borderRadius: '3px' },
  { tag: tags.character, color: 'var(--ds-text-accent-teal, #206A83)' },
]);

/** Emphasis, links, keys, mentions, dates and marks, coloured by the tags of the grammar. */
export const highlight: Extension = syntaxHighlighting(style);
