import type { Outcome } from '../../../client/changes.ts';
import { failureMessage } from '../../../client/errors.ts';
import { storage } from '../../../domain/messages.ts';
import { conflictText } from '../../model/checklist/conflict-text.ts';
import type { SaveNoticeText } from './save-notice.tsx';

/** Why a text was refused. `kept`: the browser holds it as a draft. */
export function refusalNotice(error: unknown, kept: boolean): SaveNoticeText {
  return {
    appearance: 'error',
    title: failureMessage(error),
    lines: [
      kept
        ? 'Your text stays here and is kept in this browser.'
        : 'Your text stays here as long as this editor is open.',
    ],
  };
}

/** What a saving brought besides the text: values that two people changed, and storages that were not written. */
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
