import Button from '@atlaskit/button/new';
import SectionMessage from '@atlaskit/section-message';
import type { ReactNode } from 'react';
import type { Outcome } from '../../../client/changes.ts';
import { failureMessage } from '../../../client/errors.ts';
import { storage } from '../../../domain/messages.ts';
import { conflictText } from '../../model/checklist/conflict-text.ts';

export interface SaveNoticeText {
  appearance: 'information' | 'warning' | 'error';
  title: string;
  lines?: readonly string[];
}

interface Props {
  notice: SaveNoticeText;
  onDismiss(): void;
  children?: ReactNode;
}

/** A message above the text. Errors are announced at once. */
export function SaveNotice({ notice, onDismiss, children }: Props) {
  const { appearance, title, lines = [] } = notice;
  return (
    <div className="editor-notice" role={appearance === 'error' ? 'alert' : 'status'}>
      <SectionMessage appearance={appearance} title={title}>
        {lines.length > 0 && (
          <ul className="editor-lines">
            {lines.map(line => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
        <div className="editor-notice-actions">
          {children}
          <Button spacing="compact" appearance="subtle" onClick={onDismiss}>
            Dismiss
          </Button>
        </div>
      </SectionMessage>
    </div>
  );
}

/** Says why a text was rejected. `kept`: the browser stores it as a draft. */
export function refusalNotice(error: unknown, kept: boolean): SaveNoticeText {
  return {
    appearance: 'error',
    title: failureMessage(error),
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
