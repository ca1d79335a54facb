import { useState } from 'react';
import * as v from 'valibot';
import type { ApiToken } from '../../../../client/admin/api-tokens.ts';
import { fieldErrors, typingError, validateName } from '../../../../domain/fields.ts';
import { apiTokens } from '../../../../domain/messages.ts';
import { Select, TextInput } from '../../../kit/form/form.tsx';
import { useFormDraft } from '../../../model/drafts/use-form-draft.ts';
import { ProjectsField } from '../../../model/projects.tsx';
import { EntryForm, useRefusal } from '../../../shell/entry-form.tsx';

/** The values of a new token. */
export interface TokenInput {
  name: string;
  scope: ApiToken['scope'];
  projectIds: readonly string[];
  /** Days until it expires; `null` for never. */
  days: number | null;
}

interface Props {
  busy: boolean;
  /** Resolves when it is created. */
  onCreate(values: TokenInput): Promise<unknown>;
  onClose(): void;
}

const first: TokenInput = { name: '', scope: 'READ', projectIds: [], days: 90 };

/** The stored values of a token that is not created yet. Its secret exists only afterwards. */
const draftShape = v.object({
  name: v.exactOptional(v.string()),
  scope: v.exactOptional(v.picklist(['READ', 'WRITE'])),
  projectIds: v.exactOptional(v.array(v.string())),
  days: v.exactOptional(v.nullable(v.number())),
});

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
  const draft = useFormDraft('api token', { before: first, shape: draftShape });
  const { values } = draft;
  const [sent, setSent] = useState(false);
  const { refuse, errorOf, attempt } = useRefusal();
  const change = (next: Partial<TokenInput>) => {
    refuse(undefined);
    draft.change(next);
  };
  const code = validateName(values.name);
  // While it is typed, only what more typing does not correct.
  const typing = code === 'TOO_LONG' ? typingError(code) : undefined;
  const nameError = sent && code ? fieldErrors[code] : typing;
  const save = async () => {
    setSent(true);
    if (!code) await attempt(() => onCreate(values).then(draft.discard));
  };
  return (
    <EntryForm
      label="New API token"
      save="Create token"
      busy={busy}
      dirty={JSON.stringify(values) !== JSON.stringify(first)}
      draft={draft}
      failed={apiTokens.create}
      onSave={save}
      onClose={onClose}
    >
      <TextInput
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
    </EntryForm>
  );
}
