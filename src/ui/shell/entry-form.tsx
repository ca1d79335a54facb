import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { failureMessage, MutationRefused } from '../../client/errors.ts';
import { whole } from '../../domain/messages.ts';
import { Loading } from '../kit/content-state.tsx';
import { DeletedMessage, FormButtons } from '../kit/form/form.tsx';
import { useLayer } from '../kit/use-layer.ts';
import { useLeave, useUnsaved } from './navigation/navigation.ts';

/** The values entered for an entry, and the entry's name. */
export interface Unsaved<Values> {
  name: string;
  values: Values;
}

/** The stored draft of the values that are entered in a form. */
export interface EntryDraft {
  /** Whether the stored values are known: until then the form has no fields. */
  isKnown: boolean;
  /** Values of an earlier form that were not saved are shown. */
  isRestored: boolean;
  /** The browser could store what was entered, as far as known. */
  isKept: boolean;
  /** Deletes the stored values, once they are saved or the user leaves them. */
  discard(): void;
}

interface Props {
  /** The accessible name. */
  label: string;
  /** The words of the button that saves. */
  save: string;
  /** The entered values are being saved. */
  busy: boolean;
  /** There are unsaved edits: closing the form asks first, also while they are being saved. */
  dirty: boolean;
  /** The entry that was deleted meanwhile, whose entered values this form shows for a new one. */
  unsaved?: Pick<Unsaved<unknown>, 'name'> | undefined;
  draft: EntryDraft;
  /** Beside the buttons. */
  beside?: ReactNode;
  /** Says that the server could not store it, if it gives no reason. */
  failed: string;
  /** Resolves when it is stored, or there is nothing to send; rejects if it is not stored. */
  onSave(): Promise<unknown>;
  onClose(): void;
  children: ReactNode;
}

/** Focuses the first field with an error. Returns whether there is one. */
function focusRefused(form: HTMLFormElement | null): boolean {
  const error = [...(form?.querySelectorAll('.form-field .form-error') ?? [])].find(each => each.textContent !== '');
  error?.closest('.form-field')?.querySelector<HTMLElement>('input, select')?.focus();
  return error !== undefined;
}

/**
 * A form for a new or edited entry of a list, in its place. Escape cancels. A refused save focuses the refused field; what is
 * about no field stays in the form until the next save.
 */
export function EntryForm(props: Props) {
  const { label, save, busy, dirty, unsaved, draft, beside, failed, onSave, onClose, children } = props;
  const leave = useLeave();
  const form = useRef<HTMLFormElement>(null);
  /** Saves that have ended: what one refused is shown by then. */
  const [ended, setEnded] = useState(0);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const { isKnown, isRestored, isKept, discard } = draft;
  useUnsaved(dirty, discard);
  // Before anything is painted: what is at a field is never there twice.
  useLayoutEffect(() => {
    if (ended > 0 && focusRefused(form.current)) setFailure(undefined);
  }, [ended]);
  const close = () => leave(onClose);
  useLayer(true, close, true);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setFailure(undefined);
    const end = () => setEnded(now => now + 1);
    void onSave().then(end, reason => {
      setFailure(failureMessage(reason, failed));
      end();
    });
  };
  return (
    <form ref={form} className="form form-boxed" aria-label={label} noValidate onSubmit={submit}>
      {unsaved ? <DeletedMessage what={unsaved.name} /> : null}
      {isKnown ? children : <Loading size="small" />}
      <span className="form-hint" role="status">
        {!isKept ? whole.draftNotKept : isRestored ? `${whole.restored} Cancel discards them.` : ''}
      </span>
      <FormButtons save={save} busy={busy} failure={failure} onCancel={close}>
        {beside}
      </FormButtons>
    </form>
  );
}

/**
 * Keeps what is entered for the open entry, which its form puts into the returned reference. Once another user has deleted
 * the entry, `onDeleted` gets it, to open it as a new one; `undefined` if nothing was entered.
 */
export function useEntered<Values>(
  isDeleted: boolean,
  onDeleted: (unsaved: Unsaved<Values> | undefined) => void,
): RefObject<Unsaved<Values> | undefined> {
  const entered = useRef<Unsaved<Values> | undefined>(undefined);
  const publish = useEffectEvent(() => onDeleted(entered.current));
  useEffect(() => {
    if (isDeleted) publish();
  }, [isDeleted]);
  return entered;
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
    /** Saves. Rejects if it is not stored. */
    async attempt(save: () => Promise<unknown>): Promise<void> {
      try {
        await save();
      } catch (reason) {
        if (reason instanceof MutationRefused) setRefusal({ field: reason.field ?? '', message: reason.message });
        throw reason;
      }
    },
  };
}
