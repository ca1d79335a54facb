import type { Outcome } from '../../client/checklist.ts';
import { editMessages } from '../../client/edits.ts';
import { failureMessage, MutationRefused, ServerError } from '../../client/errors.ts';
import { conflictText, conflictTitle } from '../checklist/conflict.ts';
import type { NoticeText } from './notice.tsx';

/** Whether the same text may be stored when it is sent again later: it did not arrive, or the tracker was away. */
export function isPassing(error: unknown): boolean {
  if (error instanceof MutationRefused) return error.code === 'TRACKER_UNAVAILABLE';
  if (error instanceof ServerError) return error.status === 429 || error.status >= 500;
  return true;
}

/** Why a text is not stored. `kept`: the browser holds it as a draft. */
export function failureNotice(error: unknown, kept: boolean): NoticeText {
  return {
    appearance: 'error',
    title: failureMessage(error, editMessages.replaceText.failure),
    lines: [
      ...(isPassing(error) ? ['It will be sent again.'] : []),
      kept
        ? 'Your text stays here and is kept in this browser.'
        : 'Your text stays here as long as this editor is open.',
    ],
  };
}

/** What a saving brought besides the text: values that two people changed, and storages that were not written. */
export function outcomeNotice({ conflicts, notices }: Outcome): NoticeText | undefined {
  if (conflicts.length > 0) {
    return { appearance: 'warning', title: conflictTitle, lines: [...conflicts.map(conflictText), ...notices] };
  }
  const [title, ...lines] = notices;
  return title === undefined ? undefined : { appearance: 'warning', title, lines };
}
