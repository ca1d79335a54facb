import { dayWords } from '../../domain/days.ts';
import type { IssueLozenge } from '../../domain/issue.ts';
import { unknownPerson } from '../../domain/person.ts';
import type { StatusColor } from '../../domain/statuses.ts';
import type { Provider } from '../provider.ts';
import type { Meaning } from './chip.ts';

/** What a chip shows: words and pictures in a row. */
export interface Face {
  /** What kind of chip, and whether it stands out: the class `cm-chip-` and this. */
  look: 'person' | 'day' | 'overdue' | 'today' | 'issue' | 'emoji' | 'status';
  /** Address of a picture before the words. */
  picture?: string;
  /** What is shown in the text's stead. */
  words: string;
  /** What the text does not say by itself. */
  note?: string;
  lozenge?: { words: string; color: StatusColor };
}

/** What the world says now about what stands in a text. */
export interface World extends Pick<Provider, 'person' | 'issue' | 'today'> {
  /** The emoji of a code, `undefined` while that is not known and where it names none. */
  glyph(code: string): string | undefined;
}

const colorOf: Record<IssueLozenge, StatusColor> = { default: 'gray', inprogress: 'blue', success: 'green' };

function dayFace(day: string, due: boolean, today: string): Face {
  const words = dayWords(day, today);
  if (due && day < today) return { look: 'overdue', words, note: 'overdue' };
  if (due && day === today) return { look: 'today', words, note: 'today' };
  return { look: 'day', words };
}

/** How something is shown as a chip; `undefined` where its text says all that is known. */
export function faceOf(meaning: Meaning, world: World): Face | undefined {
  switch (meaning.kind) {
    case 'person': {
      const person = world.person(meaning.accountId);
      if (person === null) return { look: 'person', words: unknownPerson };
      if (!person) return { look: 'person', words: '@…' };
      return { look: 'person', words: `@${person.name}`, ...(person.avatar !== '' && { picture: person.avatar }) };
    }
    case 'day':
      return dayFace(meaning.day, meaning.due, world.today());
    case 'issue': {
      const issue = world.issue(meaning.key);
      if (!issue) return undefined;
      const { title, lozenge } = issue.status;
      const status = { words: title, color: colorOf[lozenge] };
      return { look: 'issue', words: issue.key, note: issue.name, lozenge: status };
    }
    case 'emoji': {
      const glyph = world.glyph(meaning.code);
      return glyph === undefined ? undefined : { look: 'emoji', words: glyph };
    }
    case 'status':
      return { look: 'status', words: '', lozenge: { words: meaning.status.name, color: meaning.status.color } };
  }
}
