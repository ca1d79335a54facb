import { createShelf, keyOf, openStorage } from '../../client/browser-storage.ts';
import { edition } from '../../domain/edition.ts';

/** Closed sections are remembered per issue, in this browser only. */
const keyFor = (issueId: string) => keyOf(`${edition.key}.folded`, issueId);

export function readFolded(issueId: string): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(createShelf(openStorage()).get(keyFor(issueId)) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.filter(name => typeof name === 'string') : []);
  } catch {
    return new Set();
  }
}

export function keepFolded(issueId: string, folded: ReadonlySet<string>): void {
  const shelf = createShelf(openStorage());
  if (folded.size === 0) shelf.remove(keyFor(issueId));
  else shelf.set(keyFor(issueId), JSON.stringify([...folded]));
}
