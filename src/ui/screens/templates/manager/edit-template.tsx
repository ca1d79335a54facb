import Button from '@atlaskit/button/new';
import { type FormEvent, useRef, useState } from 'react';
import type { ListedTemplate } from '../../../../client/admin/templates.ts';
import { MutationRefused } from '../../../../client/errors.ts';
import { fieldErrors } from '../../../../domain/fields.ts';
import { managing, templates as messages } from '../../../../domain/messages.ts';
import { readChecklist } from '../../../../text/read.ts';
import { type PickedTemplate, TemplatePicker } from '../../../checklist/template-picker.tsx';
import { changedValues, DeletedMessage, FormButtons } from '../../../kit/form/form.tsx';
import { useLayer } from '../../../kit/use-layer.ts';
import { type Rooms, type Scope, templateLimitMessage } from '../../../model/templates/templates.ts';
import { useStarters } from '../../../model/templates/use-offered-templates.ts';
import { useTemplateChanges } from '../../../model/templates/use-templates.ts';
import { useLeave, useUnsaved } from '../../../shell/navigation/navigation.ts';
import { type Draft, failureOf, TemplateFields, useTemplateForm } from '../template-form.tsx';

/** The edited template; only its id is known when a draft is restored. */
export type Edited = Pick<ListedTemplate, 'id'> & Partial<ListedTemplate>;

interface Props {
  /** The edited template; without it the form creates one. */
  template?: Edited | undefined;
  /** The restored draft. */
  draft: Draft | undefined;
  /** Scopes that a new template can have. */
  scopes: readonly Scope[];
  projectId: string | undefined;
  rooms: Rooms | undefined;
  /** Whether the browser could store the draft. */
  isKept: boolean;
  /** Called after each edit; `null` deletes the stored draft. */
  onTyped(draft: Draft | null): void;
  /** Called after saving, with a new template, or after cancelling. */
  onDone(made?: ListedTemplate | null): void;
}

const scopeOf = (template: Edited | undefined): Scope | undefined =>
  template?.projectId === undefined ? undefined : template.projectId === null ? 'global' : 'project';

/** The form for a new or edited template: name, text, and the scope of a new one, which can begin as a starter. */
export function EditTemplate(props: Props) {
  const [starter, setStarter] = useState<Draft | undefined>(undefined);
  const scope = props.draft?.scope ?? props.scopes[0] ?? 'project';
  const begin = ({ name, text = '' }: PickedTemplate) => {
    const begun = { id: null, name, text, scope };
    setStarter(begun);
    props.onTyped(begun);
  };
  return <TemplateForm key={starter?.name} {...props} draft={starter ?? props.draft} onStarter={begin} />;
}

/** Starter templates to choose from, opened by a button. */
function Starters({ onPick }: { onPick(template: PickedTemplate): void }) {
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  useLayer(open, close, true);
  const hasStarters = useStarters('').length > 0;
  const matchingStarters = useStarters(search);
  if (!hasStarters) return null;
  return (
    <div className="templates-starters">
      <Button ref={button} aria-expanded={open} onClick={() => setOpen(!open)}>
        Use a starter template
      </Button>
      {open ? (
        <TemplatePicker
          groups={[{ label: 'Starter templates', templates: matchingStarters }]}
          search={search}
          onSearch={setSearch}
          onPick={onPick}
          status={
            <p className="templates-none" role="status">
              {matchingStarters.length === 0 ? messages.noMatch : ''}
            </p>
          }
        />
      ) : null}
    </div>
  );
}

function TemplateForm({
  template: opened,
  draft,
  scopes,
  projectId,
  rooms,
  isKept,
  onTyped,
  onDone,
  onStarter,
}: Props & { onStarter(template: PickedTemplate): void }) {
  const { create, update } = useTemplateChanges();
  /** The template was deleted meanwhile; the edits can be saved as a new one. */
  const [deleted, setDeleted] = useState(false);
  const template = deleted ? undefined : opened;
  /** The base of the edits; the cached template may be a later one. Unknown to a draft of an earlier version. */
  const [before] = useState(
    () => draft?.before ?? (opened?.text === undefined ? undefined : { name: opened.name ?? '', text: opened.text }),
  );
  const form = useTemplateForm(
    () => ({
      name: draft?.name ?? opened?.name ?? '',
      text: draft?.text ?? opened?.text ?? '',
      scope: draft?.scope ?? scopeOf(opened) ?? scopes[0] ?? 'project',
    }),
    onTyped,
    template ? { id: template.id, ...(before && { before }) } : undefined,
  );
  const { name, text, scope } = form;
  /** Overwrites a conflicting text on the next save, after the conflict was shown. */
  const [overwrites, setOverwrites] = useState(false);
  const [sent, setSent] = useState(false);
  const [refusal, setRefusal] = useState<{ text: string; message: string } | undefined>(undefined);
  const field = useRef<HTMLInputElement>(null);
  const full = template ? undefined : templateLimitMessage(scope, scopes, rooms);
  const empty = readChecklist(text).rows.length === 0;
  const busy = create.isPending || update.isPending;
  const dirty = deleted || name.value !== (before?.name ?? '') || text !== (before?.text ?? '');
  useUnsaved(dirty, () => onTyped(null));
  const leave = useLeave();
  // In the text, Escape lets the next Tab leave.
  const isInText = () => document.activeElement?.closest('.cm-editor');
  useLayer(dirty, () => isInText() || leave(() => onDone()), true);

  const save = async () => {
    setSent(true);
    if (!name.check()) return field.current?.focus();
    if (empty || full !== undefined || busy) return;
    try {
      const values = { name: name.value, text };
      if (template) {
        const changed = before ? changedValues(before, values) : values;
        const merges = changed.text !== undefined && before && !overwrites;
        await update.mutateAsync({ id: template.id, ...changed, ...(merges && { baseText: before.text }) });
        onDone();
      } else {
        const input = { ...values, projectId: scope === 'project' ? (projectId ?? null) : null };
        onDone((await create.mutateAsync(input)).template);
      }
    } catch (error) {
      if (!(error instanceof MutationRefused)) return field.current?.focus();
      if (template && error.code === 'NOT_FOUND') {
        setDeleted(true);
        onTyped({ id: null, name: name.value, text, scope });
      }
      setOverwrites(error.code === 'CHANGED_MEANWHILE');
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
      aria-label={template ? `Edit ${template.name ?? form.opening.name}` : 'New template'}
      noValidate
      onSubmit={submit}
    >
      {deleted ? <DeletedMessage what={opened?.name ?? form.opening.name} /> : null}
      {!template && name.value === '' && text.trim() === '' ? <Starters onPick={onStarter} /> : null}
      <TemplateFields
        ref={field}
        form={form}
        scopes={template ? [] : scopes}
        full={full}
        textError={
          empty && sent ? fieldErrors.CHECKLIST_REQUIRED : refusal?.text === text ? refusal.message : undefined
        }
        isKept={isKept}
        onSave={() => void save()}
      />
      <FormButtons
        save={template ? 'Save template' : 'Create template'}
        busy={busy}
        failure={
          template ? failureOf(update.error, managing.updateTemplate) : failureOf(create.error, managing.createTemplate)
        }
        disabled={full !== undefined}
        onCancel={() => leave(() => onDone())}
      />
    </form>
  );
}
