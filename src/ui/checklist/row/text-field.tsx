import type { EditorView } from '@codemirror/view';
import { type FocusEvent, useCallback, useEffect, useRef, useState } from 'react';
import { failureMessage } from '../../../client/errors.ts';
import { fieldErrors } from '../../../domain/fields.ts';
import { fieldEditor } from '../../../editor/field.ts';
import type { Row } from '../../../text/types.ts';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import { useUnsaved } from '../../shell/navigation/navigation.ts';
import { useServices } from '../../shell/services/services.ts';
import { createProvider } from '../../text-editor/completion-provider.ts';
import { mountCalendar, TextEditor } from '../../text-editor/text-editor.tsx';
import type { Draft } from './use-open-part.ts';
import './text-field.css';

export interface FieldProps {
  row: Row;
  part: 'text' | 'details';
  /** Rejected text to edit further. */
  draft: Draft | undefined;
  actions: RowActions;
  onClose(withFocus: boolean): void;
  onRefused(draft: Draft, id: string): void;
}

const textOf = (row: Row, part: FieldProps['part']): string =>
  part === 'text' ? row.text : row.details.map(({ text }) => text).join('\n');

/**
 * The editor of a row's text or details. Saves against the row as it was when opened: concurrent changes are merged. Saves
 * on unmount too, so that a deleted row loses no typed text.
 */
export default function Field({ row, part, draft, actions, onClose, onRefused }: FieldProps) {
  const services = useServices();
  const [opening] = useState(() => ({ text: textOf(row, part), save: actions.edit(row) }));
  const [text] = useState(draft?.text ?? opening.text);
  const [error, setError] = useState(draft?.message);
  const [dirty, setDirty] = useState(draft !== undefined);
  useUnsaved(dirty);
  const typed = useRef(text);
  /** Saved or cancelled. */
  const settled = useRef<'no' | 'yes'>('no');
  const mounted = useRef(true);
  const latest = useRef({ onClose, onRefused });
  useEffect(() => {
    latest.current = { onClose, onRefused };
  });

  /** Saves unless unchanged. Returns whether the editor can close. */
  const store = useCallback((): boolean => {
    const now = typed.current;
    if (settled.current === 'yes' || now === opening.text) return true;
    if (part === 'text' && now.trim() === '') return false;
    settled.current = 'yes';
    const change = opening.save?.(part === 'text' ? { text: now } : { details: now });
    change?.outcome.catch((reason: unknown) =>
      latest.current.onRefused({ text: now, message: failureMessage(reason) }, change.id),
    );
    return true;
  }, [opening, part]);
  const finish = useCallback(
    (withFocus: boolean) => {
      if (store()) latest.current.onClose(withFocus);
      else setError(fieldErrors.REQUIRED);
    },
    [store],
  );

  const label = part === 'text' ? `Text of ${opening.text}`.trim() : `Details of ${row.text}`.trim();
  const [extensions] = useState(() =>
    fieldEditor({
      label,
      lines: part === 'details',
      statuses: actions.latest()?.statuses,
      provider: createProvider(services),
      calendar: mountCalendar,
      save: () => finish(true),
      cancel: () => {
        settled.current = 'yes';
        latest.current.onClose(true);
      },
      changed: now => {
        typed.current = now;
        setDirty(now !== opening.text);
        setError(undefined);
      },
    }),
  );
  const refused = draft !== undefined;
  const [view, onView] = useState<EditorView | undefined>(undefined);
  useEffect(() => {
    if (!view || refused) return;
    view.focus();
    view.dispatch({ selection: { anchor: view.state.doc.length } });
  }, [view, refused]);
  useEffect(() => {
    const leave = () => void store();
    mounted.current = true;
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      mounted.current = false;
      // Not in strict mode, which unmounts and mounts again.
      queueMicrotask(() => {
        const isMounted: boolean = mounted.current;
        if (!isMounted) store();
      });
    };
  }, [store]);

  const blur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
    // Ignores an inactive window, and a rerendered calendar, which loses the focus for a moment.
    setTimeout(() => {
      if (!currentTarget.isConnected || !document.hasFocus() || currentTarget.contains(document.activeElement)) return;
      if (typed.current.trim() === '' && part === 'text') typed.current = opening.text;
      finish(false);
    });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keeps keys and clicks from the list around it.
    <div
      className={error === undefined ? 'check-field' : 'check-field check-field-wrong'}
      dir="auto"
      onBlur={blur}
      onKeyDown={event => event.stopPropagation()}
      onClick={event => event.stopPropagation()}
      onDoubleClick={event => event.stopPropagation()}
    >
      <TextEditor text={text} extensions={extensions} onView={onView} />
      {part === 'details' ? <p className="check-field-hint">Ctrl+Enter saves, Esc cancels</p> : null}
      <p className="check-error" role="alert">
        {error}
      </p>
    </div>
  );
}
