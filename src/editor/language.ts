import { LRLanguage } from '@codemirror/language';
import { highlighting } from '../../grammar/highlight.ts';
import { parser } from '../../grammar/parser.ts';

/**
 * The language of checklists for CodeMirror: the parser that the inline checklist and the server use, with the
 * highlighting that only an editor needs.
 */
export const checklistLanguage = LRLanguage.define({
  name: 'checklist',
  parser: parser.configure({ props: [highlighting] }),
});
