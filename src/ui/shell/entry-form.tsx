import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { MutationRefused } from '../../client/errors.ts';
import { FormButtons } from '../kit/form/form.tsx';
import { useLeave, useUnsaved } from './navigation/navigation.ts';

interface Props {
  /** The accessible name. */
  label: string;
  /** The words of the button that saves. */
  save: string;
  /** What was entered is being saved. */
  busy: boolean;
  /** There are unsaved edits: closing the form asks first, also while they are being saved. */
  dirty: boolean;
  /** Beside the buttons. */
  beside?: ReactNode;
  /** Resolves when it is stored or refused. */
  onSave(): Promise<unknown>;
  onClose(): void;
  children: ReactNode;
}

/** Focuses the first field with an error. */
function focusRefused(form: HTMLFormElement | null): void {
  const error = [...(form?.querySelectorAll('.form-field .form-error') ?? [])].find(each => each.textContent !== '');
  error?.closest('.form-field')?.querySelector<HTMLElement>('input, select')?.focus();
}

/** A form for a new or edited entry of a list, in its place. Escape cancels. A refused save focuses the refused field. */
export function EntryForm({ label, save, busy, dirty, beside, onSave, onClose, children }: Props) {
  const leave = useLeave();
  const form = useRef<HTMLFormElement>(null);
  /** Saves that have ended: what one refused is shown by then. */
  const [ended, setEnded] = useState(0);
  useUnsaved(dirty);
  useEffect(() => {
    if (ended > 0) focusRefused(form.current);
  }, [ended]);
  const close = () => leave(onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) void onSave().then(() => setEnded(now => now + 1));
  };
  return (
    <form
      ref={form}
      className="form form-boxed"
      aria-label={label}
      noValidate
      onSubmit={submit}
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        // Keeps Escape from also closing the dialog around it.
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
    >
      {children}
      <FormButtons save={save} busy={busy} onCancel={close}>
        {beside}
      </FormButtons>
    </form>
  );
}

/** Why the server refused what was entered, and the field that it is about; empty for none. */
interface Refusal {
  field: string;
  message: string;
}

/** The refusal of what was entered, shown at its field. */
export function useRefusal() {
  const [refusal, setRefusal] = useState<Refusal | undefined>(undefined);
  return {
    refusal,
    /** Shows it, as of the server; `undefined` once other values are entered. */
    refuse: setRefusal,
    errorOf: (field: string): string | undefined => (refusal?.field === field ? refusal.message : undefined),
    /** Saves, and resolves when it is stored or refused. A flag shows any error already. */
    async attempt(save: () => Promise<unknown>): Promise<void> {
      try {
        await save();
      } catch (reason) {
        if (reason instanceof MutationRefused) setRefusal({ field: reason.field ?? '', message: reason.message });
      }
    },
  };
}
