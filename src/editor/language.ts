import { defineLanguageFacet, Language, languageDataProp } from '@codemirror/language';
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
