import Button from '@atlaskit/button/new';
import SectionMessage from '@atlaskit/section-message';
import type { ReactNode } from 'react';

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

/** Something to know about the text, above it. Errors are read out at once. */
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
