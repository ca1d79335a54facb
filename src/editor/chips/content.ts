import { dayWords } from '../../domain/days.ts';
import type { IssueLozenge } from '../../domain/issue.ts';
import { chips as words } from '../../domain/messages.ts';
import { unknownPerson } from '../../domain/person.ts';
import type { StatusColor } from '../../domain/statuses.ts';
import type { Provider } from '../provider.ts';
import type { Meaning } from './chip.ts';

/** The content of a chip: text and pictures in a row. */
export interface ChipContent {
  /** Kind and emphasis of a chip: the suffix of the class `cm-chip-`. */
  kind: 'person' | 'day' | 'overdue' | 'today' | 'issue' | 'emoji' | 'status' | 'mark';
  /** Address of a picture before the words. */
  picture?: string;
  /** The text shown. */
  words: string;
  /** Additional information not in the text. */
  note?: string;
  /** A picture before the lozenge, with its name. */
  priority?: { picture: string; words: string };
  lozenge?: { words: string; color: StatusColor };
}

/** Data for chips from outside the text. */
export interface ChipData extends Pick<Provider, 'person' | 'issue' | 'today' | 'isOwnAddress'> {
  /** The emoji of a code; `undefined` while the table is loading and for unknown codes. */
  glyph(code: string): string | undefined;
}

const colorOf: Record<IssueLozenge, StatusColor> = { default: 'gray', inprogress: 'blue', success: 'green' };

function dayContent(day: string, due: boolean, today: string): ChipContent {
  const words = dayWords(day, today);
  if (due && day < today) return { kind: 'overdue', words, note: 'overdue' };
  if (due && day === today) return { kind: 'today', words, note: 'today' };
  return { kind: 'day', words };
}

/** The content of a chip; `undefined` if the text is shown instead. */
export function chipContent(meaning: Meaning, data: ChipData): ChipContent | undefined {
  switch (meaning.kind) {
    case 'person': {
      const person = data.person(meaning.accountId);
      if (person === null) return { kind: 'person', words: unknownPerson };
      if (!person) return { kind: 'person', words: '@…' };
      return { kind: 'person', words: `@${person.name}`, ...(person.avatar !== '' && { picture: person.avatar }) };
    }
    case 'day':
      return dayContent(meaning.day, meaning.due, data.today());
    case 'issue': {
      if (meaning.address !== undefined && !data.isOwnAddress?.(meaning.address)) return undefined;
      const issue = data.issue(meaning.key);
      if (!issue) return undefined;
      const { title, lozenge } = issue.status;
      const status = { words: title, color: colorOf[lozenge] };
      const { priority } = issue;
      return {
        ...{ kind: 'issue', words: issue.key, note: issue.name, lozenge: status },
        ...(priority && { priority: { picture: priority.icon, words: words.priority(priority.title) } }),
      };
    }
    case 'emoji': {
      const glyph = data.glyph(meaning.code);
      return glyph === undefined ? undefined : { kind: 'emoji', words: glyph };
    }
    case 'gate':
      return { kind: 'mark', words: words.gate(meaning.name) };
    case 'customers':
      return { kind: 'mark', words: words.customers };
    case 'status':
      return { kind: 'status', words: '', lozenge: { words: meaning.status.name, color: meaning.status.color } };
  }
}
