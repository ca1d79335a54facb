import { edition } from '../../domain/edition.ts';
import { keyOf, safeStorage } from '../browser-storage.ts';

/** Under which the browser keeps changes; an owner and an issue follow. */
export const OUTBOX = `${edition.key}.outbox`;

/** Whether the browser keeps changes of this issue, of whichever account. */
export const hasUnsentChanges = (issueId: string, storage: Storage | undefined): boolean =>
  safeStorage(storage)
    .keys(keyOf(OUTBOX))
    .some(key => key.includes(`/${keyOf(issueId)}/`));
