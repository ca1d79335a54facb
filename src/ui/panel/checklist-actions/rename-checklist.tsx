import Button from '@atlaskit/button/new';
import { type FormEvent, useRef, useState } from 'react';
import type { ChecklistStore } from '../../../client/checklist.ts';
import { fieldErrors, typingError, validateName } from '../../../domain/fields.ts';
import { successes } from '../../../domain/messages.ts';
import { TextInput } from '../../kit/form/form.tsx';
import type { Actions } from '../../model/checklist/use-actions.ts';
import { useLeave, useUnsaved } from '../../shell/navigation/navigation.ts';
import { useNotify } from '../../shell/services/services.ts';

interface Props {
  store: ChecklistStore;
  actions: Pick<Actions, 'step'>;
  name: string;
  onClose(): void;
}

/** The form for the checklist's name. A lazy chunk, mounted while open. */
export default function RenameChecklist({ store, actions, name, onClose }: Props) {
  const notify = useNotify();
  const leave = useLeave();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(name);
  const [sent, setSent] = useState(false);
  const code = validateName(typed);
  const error = code && (sent ? fieldErrors[code] : typed === name ? undefined : typingError(code));
  useUnsaved(typed !== name);
  const save = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (code) return field.current?.focus();
    const text = store.get()?.model.text;
    const renamed = typed.trim().replace(/\s+/g, ' ');
    onClose();
    if (text === undefined || renamed === name) return;
    const change = store.change({ kind: 'updateChecklistFromText', text, name: renamed });
    actions.step(`Renamed to “${renamed}”`, change);
    change.outcome.then(
      () => notify(successes.updateChecklist),
      () => undefined,
    );
  };
  return (
    <form
      className="form check-confirm"
      aria-label="Rename checklist"
      noValidate
      onSubmit={save}
      onKeyDown={event => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        leave(onClose);
      }}
    >
      <TextInput ref={field} label="Checklist name" value={typed} error={error} autoFocus onChange={setTyped} />
      <div className="form-buttons">
        <Button appearance="primary" type="submit">
          Save name
        </Button>
        <Button appearance="subtle" onClick={() => leave(onClose)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
