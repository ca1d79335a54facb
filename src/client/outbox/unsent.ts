import { edition } from '../../domain/edition.ts';
import { keyOf, safeStorage } from '../browser-storage.ts';

/** Owner and issue follow in the storage key. */
export const OUTBOX_KEY = `${edition.key}.outbox`;

/** Whether the storage holds changes of this issue, of any account. */
export const hasUnsentChanges = (issueId: string, storage: Storage | undefined): boolean =>
  safeStorage(storage)
    .keys(keyOf(OUTBOX_KEY))
    .some(key => key.includes(`/${keyOf(issueId)}/`));
