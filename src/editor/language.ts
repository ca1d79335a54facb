import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  languageDataProp,
  syntaxHighlighting,
} from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import { highlighting } from '../../grammar/highlight.ts';
import { parser } from '../../grammar/parser.ts';
import { spelling } from '../../grammar/props.ts';
import { reusingLines } from '../../grammar/reuse.ts';

const data = defineLanguageFacet();

/**
 * The language of checklists for CodeMirror: the parser that the inline checklist and the server use, with the
 * highlighting and spelling that only an editor needs. No `LRLanguage`: that would configure the parser once more.
 */
export const checklistLanguage = new Language(
  data,
  reusingLines(
    parser.configure({
      props: [highlighting, spelling, languageDataProp.add(type => (type.isTop ? data : undefined))],
    }),
  ),
  [],
  'checklist',
);

/** Styles inside a line. Whole lines (headers, done, skipped, details) get their styles in `line-decorations.ts`. */
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
