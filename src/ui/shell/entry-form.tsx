import { type FormEvent, type ReactNode, useState } from 'react';
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
  /** There are unsaved edits: closing the form asks first. */
  dirty: boolean;
  /** Beside the buttons. */
  beside?: ReactNode;
  onSave(): void;
  onClose(): void;
  children: ReactNode;
}

/** A form for a new or edited entry of a list, in its place. Escape cancels. */
export function EntryForm({ label, save, busy, dirty, beside, onSave, onClose, children }: Props) {
  const leave = useLeave();
  useUnsaved(!busy && dirty);
  const close = () => leave(onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) onSave();
  };
  return (
    <form
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
    /** Saves, and resolves to the field that was refused. A flag shows any error already. */
    async attempt(save: () => Promise<unknown>): Promise<string | undefined> {
      try {
        await save();
        return undefined;
      } catch (reason) {
        if (!(reason instanceof MutationRefused)) return undefined;
        const field = reason.field ?? '';
        setRefusal({ field, message: reason.message });
        return field;
      }
    },
  };
}
