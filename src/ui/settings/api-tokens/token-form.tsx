import Button from '@atlaskit/button/new';
import { type FormEvent, useRef, useState } from 'react';
import { MutationRefused } from '../../../client/errors.ts';
import { fieldErrors, typingError, validateName } from '../../../domain/fields.ts';
import { Select, TextInput } from '../../kit/form/form.tsx';
import { ProjectsField } from '../../model/projects.tsx';
import { useLeave, useUnsaved } from '../../shell/navigation/navigation.ts';
import type { TokenInput } from './use-api-tokens.ts';

interface Props {
  busy: boolean;
  /** Resolves when it is created. */
  onCreate(values: TokenInput): Promise<unknown>;
  onClose(): void;
}

const first: TokenInput = { name: '', scope: 'READ', projectIds: [], days: 90 };

const expiries = [
  { value: '30', words: 'In 30 days' },
  { value: '90', words: 'In 90 days' },
  { value: '365', words: 'In one year' },
  { value: 'never', words: 'Never' },
] as const;

const hints: Record<TokenInput['scope'], string> = {
  READ: 'Programs with this token can read and search checklists, and list templates.',
  WRITE:
    'Programs with this token can also change checklists and apply templates in projects where the app can edit issues.',
};

/** The form for a new token. */
export function TokenForm({ busy, onCreate, onClose }: Props) {
  const [values, setValues] = useState(first);
  const [sent, setSent] = useState(false);
  const [refusal, setRefusal] = useState<{ field: string; message: string } | undefined>(undefined);
  const name = useRef<HTMLInputElement>(null);
  const change = (next: Partial<TokenInput>) => {
    setRefusal(undefined);
    setValues({ ...values, ...next });
  };
  const code = validateName(values.name);
  // While it is typed, only what more typing does not correct.
  const typing = code === 'TOO_LONG' ? typingError(code) : undefined;
  const nameError = sent && code ? fieldErrors[code] : typing;
  const errorOf = (field: string) => (refusal?.field === field ? refusal.message : undefined);
  const leave = useLeave();
  useUnsaved(!busy && JSON.stringify(values) !== JSON.stringify(first));
  const close = () => leave(onClose);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setSent(true);
    if (code) return name.current?.focus();
    try {
      await onCreate(values);
    } catch (reason) {
      // A flag shows the error already; an error of a field also shows there.
      if (!(reason instanceof MutationRefused)) return;
      setRefusal({ field: reason.field ?? '', message: reason.message });
      if (reason.field === 'name') name.current?.focus();
    }
  };
  return (
    <form
      className="form form-boxed"
      aria-label="New API token"
      noValidate
      onSubmit={event => void submit(event)}
      onKeyDown={event => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
    >
      <TextInput
        ref={name}
        label="Name"
        value={values.name}
        error={nameError ?? errorOf('name')}
        hint="The history shows it as the author of changes, such as “API: Build server”."
        autoFocus
        onChange={next => change({ name: next })}
      />
      <Select
        label="Access"
        value={values.scope}
        options={[
          { value: 'READ', words: 'Read' },
          { value: 'WRITE', words: 'Read and write' },
        ]}
        hint={hints[values.scope]}
        onChange={(scope: TokenInput['scope']) => change({ scope })}
      />
      <ProjectsField
        known={[]}
        chosen={values.projectIds}
        error={errorOf('projectIds')}
        onChange={projectIds => change({ projectIds })}
      />
      <Select
        label="Expires"
        value={expiries.find(({ value }) => value === String(values.days))?.value ?? 'never'}
        options={expiries}
        error={errorOf('until')}
        onChange={value => change({ days: value === 'never' ? null : Number(value) })}
      />
      <div className="form-buttons">
        <Button appearance="primary" type="submit" isLoading={busy}>
          Create token
        </Button>
        <Button appearance="subtle" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
