import type { Range } from '@codemirror/state';
import { Decoration } from '@codemirror/view';
import type { TextRange } from '../../text/edits/format.ts';
import type { ChipContent } from './content.ts';
import type { Selected } from './widget.ts';

/**
 * Shows a person's text as a name without a widget: the text stays in the page, so that an input method reads the lines
 * as they are. The brackets take the room of a margin, and what is between them none.
 */
export function nameMarks({ from, to }: TextRange, { words }: ChipContent, selected: Selected): Range<Decoration>[] {
  const isSelected = selected === 'no' ? '' : ` cm-chip-selected-${selected}`;
  const name = Decoration.mark({ class: `cm-chip-name${isSelected}` });
  const text = Decoration.mark({ class: 'cm-chip-name-text', attributes: { 'data-words': words } });
  return [name.range(from, to), text.range(from + 1, to - 1)];
}
