import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { type Choice, replaceTyped } from './option.ts';
import { triggered } from './trigger.ts';

/** The marks that a line can begin with (docs/language.md). */
const marks = [
  { mark: '- ', name: 'To do' },
  { mark: '~ ', name: 'In progress' },
  { mark: '+ ', name: 'Done' },
  { mark: 'x ', name: 'Skipped' },
  { mark: '- ! ', name: 'Mandatory item' },
  { mark: '# ', name: 'Section' },
  { mark: '## ', name: 'Subsection' },
  { mark: '### ', name: 'Level 3 header' },
  { mark: '#### ', name: 'Level 4 header' },
  { mark: '##### ', name: 'Level 5 header' },
  { mark: '###### ', name: 'Level 6 header' },
  { mark: '> ', name: 'Detail of the line above' },
];

/** Hashes at a line's start, or any beginning of a mark. */
const hashes = /(?<=^[ \t\xa0]*)(#{1,6})$/;
const anything = /(?<=^[ \t\xa0]*)([-~+x>]|#{1,6}|- !|)$/;

const choiceOf = ({ mark, name }: (typeof marks)[number]): Choice => ({
  label: name,
  picture: { kind: 'sign', text: mark.trimEnd() },
  apply: (view: EditorView, completion, from, to) => {
    const behind = /^[ \t\xa0]*/.exec(view.state.sliceDoc(to, view.state.doc.lineAt(to).to))?.[0].length ?? 0;
    view.dispatch(replaceTyped(completion, { from, to: to + behind, insert: mark }, from + mark.length));
  },
});

/** Marks at a line's start: headers after `#`, all of them on an explicit request. */
export function lineMarks(context: CompletionContext): CompletionResult | null {
  const trigger = triggered(context, context.explicit ? anything : hashes);
  if (!trigger) return null;
  const options = marks.filter(({ mark }) => mark.startsWith(trigger.query)).map(choiceOf);
  return options.length === 0 ? null : { from: trigger.from, options, filter: false };
}
