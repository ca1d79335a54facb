import Button from '@atlaskit/button/new';
import { type FormEvent, useRef, useState } from 'react';
import type { ListedTemplate } from '../../client/admin/templates.ts';
import { MutationRefused } from '../../client/errors.ts';
import { fieldErrors } from '../../domain/fields.ts';
import { readChecklist } from '../../text/read.ts';
import { useUnsaved } from '../app/hooks.ts';
import { Select, TextInput } from '../parts/form.tsx';
import { Upgrade } from '../parts/upgrade.tsx';
import { fullOf, type Rooms, type Scope, scopeWords } from './scope.ts';
import { TemplateText } from './text.tsx';
import type { Draft } from './use-draft.ts';
import { useName } from './use-name.ts';
import { useTemplateChanges } from './use-templates.ts';

interface Props {
  /** The one that is changed; without it one is made. */
  template?: ListedTemplate | undefined;
  /** What was typed before. */
  draft: Draft | undefined;
  /** For whom one can be made. */
  scopes: readonly Scope[];
  projectId: string | undefined;
  rooms: Rooms | undefined;
  onTyped(draft: Draft): void;
  /** Saved, or given up. */
  onDone(): void;
}

/** A template open to be written: its name, its text, and for a new one whom it is for. */
export function EditTemplate({ template, draft, scopes, projectId, rooms, onTyped, onDone }: Props) {
  const { create, update } = useTemplateChanges();
  const [opening] = useState(() => ({
    name: draft?.name ?? template?.name ?? '',
    text: draft?.text ?? template?.text ?? '',
    scope: draft?.scope ?? scopes[0] ?? 'project',
  }));
  const name = useName(opening.name);
  const [text, setText] = useState(opening.text);
  const [scope, setScope] = useState<Scope>(opening.scope);
  const [sent, setSent] = useState(false);
  const [refusal, setRefusal] = useState<{ text: string; message: string } | undefined>(undefined);
  const field = useRef<HTMLInputElement>(null);
  const full = template ? undefined : fullOf(scope, rooms);
  const empty = readChecklist(text).rows.length === 0;
  const busy = create.isPending || update.isPending;
  const dirty = name.value !== (template?.name ?? '') || text !== (template?.text ?? '');
  useUnsaved(dirty && !busy);
  const typed = (values: Partial<Draft>) =>
    onTyped({ id: template?.id ?? null, name: name.value, text, scope, ...values });

  const save = async () => {
    setSent(true);
    if (!name.check()) return field.current?.focus();
    if (empty || full !== undefined || busy) return;
    try {
      const values = { name: name.value, text };
      if (template) await update.mutateAsync({ id: template.id, ...values });
      else await create.mutateAsync({ ...values, projectId: scope === 'project' ? (projectId ?? null) : null });
      onDone();
    } catch (error) {
      name.refused(error);
      if (error instanceof MutationRefused && error.field === 'text') setRefusal({ text, message: error.message });
      else field.current?.focus();
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  return (
    <form
      className="form"
      aria-label={template ? `Edit ${template.name}` : 'New template'}
      noValidate
      onSubmit={submit}
    >
      {full === undefined ? null : (
        <p className="templates-full" role="status">
          {full} <Upgrade />
        </p>
      )}
      <TextInput
        ref={field}
        label="Name"
        value={name.value}
        error={name.error}
        autoFocus
        onChange={value => {
          name.change(value);
          typed({ name: value });
        }}
      />
      {template ? null : (
        <Select<Scope>
          label="Who can use it"
          value={scope}
          options={scopes.map(value => ({ value, words: scopeWords[value] }))}
          hint={scope === 'global' ? 'Everybody on this site sees its name and text.' : undefined}
          onChange={value => {
            setScope(value);
            typed({ scope: value });
          }}
        />
      )}
      <div className="form-field template-field">
        <span className="form-label">Text</span>
        <TemplateText
          label="Text of the template"
          text={opening.text}
          editable
          onChange={value => {
            setText(value);
            typed({ text: value });
          }}
          onSave={() => void save()}
        />
        <span className="form-error" role="alert">
          {empty && sent ? fieldErrors.CHECKLIST_REQUIRED : refusal?.text === text ? refusal.message : null}
        </span>
      </div>
      <div className="form-buttons">
        <Button appearance="primary" type="submit" isLoading={busy} isDisabled={full !== undefined}>
          {template ? 'Save template' : 'Create template'}
        </Button>
        <Button appearance="subtle" onClick={onDone}>
          {dirty ? 'Discard' : 'Cancel'}
        </Button>
      </div>
    </form>
  );
}
