import { TrackerError } from '../../../client/errors.ts';
import { failures, storage } from '../../../domain/messages.ts';

/** Why a checklist cannot be shown. */
export const failureText = (error: unknown): string =>
  error instanceof TrackerError && (error.status === 403 || error.status === 404)
    ? storage.issueNotFound
    : failures.unknown;
