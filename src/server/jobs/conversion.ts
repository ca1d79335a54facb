import { convert } from '../../text/convert.ts';
import { itemCount } from '../text-workers/reading.ts';
import { textTask } from '../text-workers/task.ts';

/** Converts a text of Issue Checklist, and counts its items. */
export const conversion = textTask({
  name: 'convert',
  run({ text: foreign }: { text: string }) {
    const { text, lost } = convert(foreign, 'issue-checklist');
    return { text, lost, items: itemCount(text) };
  },
  charactersOf: ({ text }) => text.length,
});
