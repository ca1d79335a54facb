import Button from '@atlaskit/button/new';
import SectionMessage from '@atlaskit/section-message';
import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react';
import { whole } from '../../../domain/messages.ts';
import { useModal } from '../../kit/focus.ts';
import type { SaveNoticeText } from './notice-text.ts';

interface Props {
  notice: SaveNoticeText;
  onDismiss(): void;
  children?: ReactNode;
}

/** A message above the text. Errors are announced at once. */
export function SaveNotice({ notice, onDismiss, children }: Props) {
  const { appearance, title } = notice;
  const [first, ...more] = new Set(notice.lines);
  return (
    <div className="editor-notice" role={appearance === 'error' ? 'alert' : 'status'}>
      <SectionMessage appearance={appearance} title={title}>
        {more.length === 0 ? (
          first
        ) : (
          <ul className="editor-lines">
            {[first, ...more].map(line => (
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

interface ClearProps {
  /** How many items are stored. */
  items: number;
  onDecide(clear: boolean): void;
  /** Called when the dialog is gone, for the focus. */
  onClosed(): void;
}

/** Asks whether to clear a checklist whose text was emptied. Escape keeps it. */
export function ClearDialog({ items, onDecide, onClosed }: ClearProps) {
  const [title, text] = [useId(), useId()];
  const clear = useRef<HTMLButtonElement>(null);
  const { ref, onCancel } = useModal(() => onDecide(false), clear);
  const closed = useEffectEvent(onClosed);
  useEffect(() => () => closed(), []);
  return (
    <dialog ref={ref} className="question" aria-labelledby={title} aria-describedby={text} onCancel={onCancel}>
      <h2 className="question-title" id={title}>
        {whole.clearTitle}
      </h2>
      <p id={text}>{whole.clearText(items)}</p>
      <div className="actions">
        <Button appearance="subtle" onClick={() => onDecide(false)}>
          Cancel
        </Button>
        <Button appearance="danger" ref={clear} onClick={() => onDecide(true)}>
          {whole.clearButton}
        </Button>
      </div>
    </dialog>
  );
}
