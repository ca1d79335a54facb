import type { Outcome } from '../../../client/changes.ts';
import { failureMessage } from '../../../client/errors.ts';
import { storage } from '../../../domain/messages.ts';
import { conflictText } from '../../model/checklist/conflict-text.ts';

/** The words of a notice about a save. */
export interface SaveNoticeText {
  appearance: 'information' | 'warning' | 'error';
  title: string;
  lines?: readonly string[];
}

/**
 * Says why a text was rejected, for want of a reason with the `operation`'s message. `kept`: the browser stores it as a
 * draft.
 */
export function refusalNotice(error: unknown, kept: boolean, operation?: string): SaveNoticeText {
  return {
    appearance: 'error',
    title: failureMessage(error, operation),
    lines: [kept ? 'Your text is kept in this browser.' : 'Your text is kept while this editor is open.'],
  };
}

/** The results of a save besides the text: conflicts, and stores that were not written. */
export function outcomeNotice(
  { conflicts, notices }: Omit<Outcome, 'base'>,
  nameOf: (accountId: string) => string | undefined,
): SaveNoticeText | undefined {
  if (conflicts.length > 0) {
    const lines = conflicts.map(conflict => conflictText(conflict, nameOf));
    return { appearance: 'warning', title: storage.sameItems, lines: [...lines, ...notices] };
  }
  const [title, ...lines] = notices;
  return title === undefined ? undefined : { appearance: 'warning', title, lines };
}
