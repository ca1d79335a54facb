import { keyOf, openStorage, safeStorage } from '../../../client/browser-storage.ts';
import { edition } from '../../../domain/edition.ts';

/** Closed sections are remembered per issue, in this browser only. */
const keyFor = (issueId: string) => keyOf(`${edition.key}.folded`, issueId);

export function readFolded(issueId: string): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(safeStorage(openStorage()).get(keyFor(issueId)) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.filter(name => typeof name === 'string') : []);
  } catch {
    return new Set();
  }
}

export function keepFolded(issueId: string, folded: ReadonlySet<string>): void {
  const safe = safeStorage(openStorage());
  if (folded.size === 0) safe.remove(keyFor(issueId));
  else safe.set(keyFor(issueId), JSON.stringify([...folded]));
}
