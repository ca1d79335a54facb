import { edition } from '../../domain/edition.ts';
import { keyOf, safeStorage } from '../browser-storage.ts';

/** Storage key prefix of stored changes; owner and issue follow. */
export const OUTBOX = `${edition.key}.outbox`;

/** Whether the storage holds changes of this issue, of any account. */
export const hasUnsentChanges = (issueId: string, storage: Storage | undefined): boolean =>
  safeStorage(storage)
    .keys(keyOf(OUTBOX))
    .some(key => key.includes(`/${keyOf(issueId)}/`));
