import Button from '@atlaskit/button/new';
import { type FormEvent, useRef, useState } from 'react';
import type { ListedTemplate } from '../../../client/admin/templates.ts';
import { MutationRefused } from '../../../client/errors.ts';
import { fieldErrors } from '../../../domain/fields.ts';
import { readChecklist } from '../../../text/read.ts';
import { changedOf, DeletedMessage } from '../../kit/form/form.tsx';
import { fullOf, type Rooms, type Scope } from '../../model/templates/template-labels.ts';
import { useTemplateChanges } from '../../model/templates/use-templates.ts';
import { useUnsaved } from '../../shell/navigation/navigation.ts';
import { TemplateFields } from '../form/template-fields.tsx';
import type { Draft } from '../form/template-form.ts';
import { useTemplateForm } from '../form/template-form.ts';

/** The template that is changed; only its id is known of one that was left unsaved. */
export type Edited = Pick<ListedTemplate, 'id'> & Partial<ListedTemplate>;

interface Props {
  /** Without one, one is made. */
  template?: Edited | undefined;
  /** What was typed before. */
  draft: Draft | undefined;
  /** For whom one can be made. */
  scopes: readonly Scope[];
  projectId: string | undefined;
  rooms: Rooms | undefined;
  onTyped(draft: Draft): void;
  /** Saved, a new one under that id, or given up. */
  onDone(made?: string): void;
}

const scopeOf = (template: Edited | undefined): Scope | undefined =>
  template?.projectId === undefined ? undefined : template.projectId === null ? 'global' : 'project';

/** A template open to be written: its name, its text, and for a new one whom it is for. */
export function EditTemplate({ template: opened, draft, scopes, projectId, rooms, onTyped, onDone }: Props) {
  const { create, update } = useTemplateChanges();
  /** Somebody else has deleted it meanwhile: what was typed can become another one. */
  const [gone, setGone] = useState(false);
  const template = gone ? undefined : opened;
  const written = useTemplateForm(
    () => ({
      name: draft?.name ?? opened?.name ?? '',
      text: draft?.text ?? opened?.text ?? '',
      scope: draft?.scope ?? scopeOf(opened) ?? scopes[0] ?? 'project',
    }),
    template?.id ?? null,
    onTyped,
  );
  /** The newest of it that is known may be somebody else's already. */
  const [before] = useState(() => ({ name: opened?.name ?? '', text: opened?.text ?? '' }));
  const { name, text, scope } = written;
  /** What somebody else changed of the same lines is known, and these are to stay. */
  const [insists, setInsists] = useState(false);
  const [sent, setSent] = useState(false);
  const [refusal, setRefusal] = useState<{ text: string; message: string } | undefined>(undefined);
  const field = useRef<HTMLInputElement>(null);
  const full = template ? undefined : fullOf(scope, rooms);
  const empty = readChecklist(text).rows.length === 0;
  const busy = create.isPending || update.isPending;
  const dirty = gone || name.value !== before.name || text !== before.text;
  useUnsaved(dirty && !busy);

  const save = async () => {
    setSent(true);
    if (!name.check()) return field.current?.focus();
    if (empty || full !== undefined || busy) return;
    try {
      const values = { name: name.value, text };
      if (template) {
        const changed = changedOf(before, values);
        const joins = changed.text !== undefined && opened?.text !== undefined && !insists;
        await update.mutateAsync({ id: template.id, ...changed, ...(joins && { baseText: before.text }) });
        onDone();
      } else {
        const input = { ...values, projectId: scope === 'project' ? (projectId ?? null) : null };
        onDone((await create.mutateAsync(input)).template?.id);
      }
    } catch (error) {
      if (!(error instanceof MutationRefused)) return field.current?.focus();
      if (template && error.code === 'NOT_FOUND') {
        setGone(true);
        onTyped({ id: null, name: name.value, text, scope });
      }
      setInsists(error.code === 'CHANGED_MEANWHILE');
      name.refused(error);
      if (error.field === 'text') setRefusal({ text, message: error.message });
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
      aria-label={template ? `Edit ${template.name ?? written.opening.name}` : 'New template'}
      noValidate
      onSubmit={submit}
    >
      {gone ? <DeletedMessage what={opened?.name ?? written.opening.name} /> : null}
      <TemplateFields
        ref={field}
        written={written}
        scopes={template ? [] : scopes}
        full={full}
        trouble={empty && sent ? fieldErrors.CHECKLIST_REQUIRED : refusal?.text === text ? refusal.message : undefined}
        onSave={() => void save()}
      />
      <div className="form-buttons">
        <Button appearance="primary" type="submit" isLoading={busy} isDisabled={full !== undefined}>
          {template ? 'Save template' : 'Create template'}
        </Button>
        <Button appearance="subtle" onClick={() => onDone()}>
          {dirty ? 'Discard' : 'Cancel'}
        </Button>
      </div>
    </form>
  );
}
