import { reading } from '../read.ts';
import type { Sliced } from '../sliced.ts';
import type { StatusRegistry } from '../status-registry.ts';
import type { Checklist } from '../types.ts';
import { lines } from './read-line.ts';

/** Characters of a line that is read without a break: a millisecond at most. */
const SHORT = 512;

/** Readings of lines by their text, all with the same statuses. */
export type Readings = Map<string, Checklist>;

/** Reads a line in parts, once. */
export function* readingLine(text: string, statuses: StatusRegistry, known: Readings): Sliced<Checklist> {
  const line = known.get(text) ?? (yield* reading(text, statuses));
  known.set(text, line);
  return line;
}

/** An edit asked for a long line that is not read yet. */
class Unread extends Error {}

/**
 * Runs an edit whose lines are read in parts. An edit is a pure function: one that asks for a long line ends there, and
 * begins again when the line is read. Lines that several edits ask for are read once.
 */
export function* inParts<T>(statuses: StatusRegistry, known: Readings, edit: () => T): Sliced<T> {
  const { read } = lines;
  for (;;) {
    let long = '';
    lines.read = text => {
      const line = known.get(text) ?? (text.length <= SHORT ? read(text, statuses) : undefined);
      if (!line) {
        long = text;
        throw new Unread();
      }
      known.set(text, line);
      return line;
    };
    try {
      return edit();
    } catch (error) {
      if (!(error instanceof Unread)) throw error;
    } finally {
      lines.read = read;
    }
    yield* readingLine(long, statuses, known);
  }
}
