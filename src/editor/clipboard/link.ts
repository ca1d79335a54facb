import type { EditorState } from '@codemirror/state';
import { parser } from '../../../grammar/parser.ts';
import { isLinked } from '../../text/convert/spans.ts';
import { type Insertion, insertWords } from './insertion.ts';

/** The address that a text is, if it is nothing else. */
const addressOf = (text: string): string | undefined => {
  const address = text.trim();
  return isLinked(address) && !/\s/.test(address) ? address : undefined;
};

const encode = (unit: string) => `%${unit.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * A link over the selected words to the address that is pasted there; none if the language would not read one, as over
 * several lines, over brackets, or in code.
 */
export function linkOver(state: EditorState, text: string): Insertion | undefined {
  const { main, ranges } = state.selection;
  const address = addressOf(text);
  if (address === undefined || main.empty || ranges.length > 1) return undefined;
  const words = state.sliceDoc(main.from, main.to);
  if (addressOf(words) !== undefined) return undefined;
  const lead = words.length - words.trimStart().length;
  const link = `[${words.trim()}](${address.replace(/[()[\]<>"`]/g, encode)})`;
  const placement = insertWords(state, words.slice(0, lead) + link + words.slice(lead + words.trim().length));
  const line = state.doc.lineAt(main.from);
  if (main.to > line.to) return undefined;
  const after = state.sliceDoc(line.from, main.from + lead) + link + state.sliceDoc(main.to, line.to);
  const from = main.from + lead - line.from;
  let linked = false;
  let containsLink = false;
  parser.parse(line.text).iterate({
    from: main.from - line.from,
    to: main.to - line.from,
    enter: ({ name }) => {
      containsLink ||= name === 'Link';
    },
  });
  parser.parse(after).iterate({
    enter: ({ name, from: start, to }) => {
      linked ||= name === 'Link' && start === from && to === from + link.length;
    },
  });
  return linked && !containsLink ? placement : undefined;
}
