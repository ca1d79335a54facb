import { LRLanguage } from '@codemirror/language';
import { parser } from '../../grammar/parser.ts';

/** The language of checklists for CodeMirror: the same parser that the inline checklist and the server use. */
export const checklistLanguage = LRLanguage.define({ name: 'checklist', parser });
