import { useId, useState } from 'react';
import * as v from 'valibot';
import type { ManagedStatus } from '../../../../client/admin/managed-statuses.ts';
import { failureMessage } from '../../../../client/errors.ts';
import { statusColors } from '../../../../domain/colors.ts';
import { fieldErrors, typingError } from '../../../../domain/fields.ts';
import { managing } from '../../../../domain/messages.ts';
import { lozengeOf, type StatusColor } from '../../../../domain/statuses.ts';
import { statusProblems } from '../../../../text/statuses/problems.ts';
import { Loading } from '../../../kit/content-state.tsx';
import { Check, changedValues, FormButtons, Select, TextInput } from '../../../kit/form/form.tsx';
import { InlineDialog } from '../../../kit/popover.tsx';
import { useFormDraft } from '../../../model/drafts/use-form-draft.ts';
import { EntryForm, type Unsaved, useRefusal } from '../../../shell/entry-form.tsx';
import { type StatusInput, useStatusSettings, useStatusUse } from './use-status-settings.ts';
import '../../../checklist/row/status.css';

/** A status' name in its colour. */
export const Lozenge = ({ name, color }: { name: string; color: StatusColor }) => (
  <span className={`check-status check-status-${lozengeOf[color]}`} dir="auto">
    {name}
  </span>
);

/** The stored values of an unsaved status. */
const draftShape = v.object({
  name: v.exactOptional(v.string()),
  color: v.exactOptional(v.picklist(statusColors)),
  checked: v.exactOptional(v.boolean()),
});

interface StatusFormProps {
  /** The edited status; without it the form creates one. */
  status?: ManagedStatus;
  /** The project whose statuses are shown. */
  projectId: string | undefined;
  /** The values entered for a status that was deleted meanwhile, and its name. */
  unsaved?: Unsaved<StatusInput> | undefined;
  busy: boolean;
  /** Resolves when it is stored. `before` are the form's initial values. */
  onSave(values: StatusInput, before: StatusInput): Promise<unknown>;
  onTyped?(values: StatusInput): void;
  onClose(): void;
}

/** The error of a name: short while it is typed, the server's once it is `sent`. */
function problemOf(name: string, sent: boolean): string | undefined {
  const [problem] = statusProblems([{ slug: '', name: name.trim(), color: 'gray', checked: false }]).filter(
    ({ code }) => code !== 'NAME_TAKEN' && code !== 'SLUG_TAKEN',
  );
  if (problem?.code === 'NAME_REQUIRED') return sent ? fieldErrors.REQUIRED : typingError('REQUIRED');
  return problem?.code === 'NAME_TOO_LONG' && !sent ? typingError('TOO_LONG') : problem?.message;
}

/** The form for a new or edited status: name, colour, and whether it completes an item. */
export function StatusForm({ status, projectId, unsaved, busy, onSave, onTyped, onClose }: StatusFormProps) {
  const [before] = useState<StatusInput>(() => ({
    name: status?.name ?? '',
    color: status?.color ?? 'gray',
    checked: status?.checked ?? false,
  }));
  const draft = useFormDraft(`status ${projectId ?? 'site'} ${status?.slug ?? ''}`, {
    before,
    unsaved: unsaved?.values,
    shape: draftShape,
  });
  const { values } = draft;
  const { refuse, errorOf, attempt } = useRefusal();
  const change = (next: Partial<StatusInput>) => {
    if (next.name !== undefined) refuse(undefined);
    draft.change(next);
    onTyped?.({ ...values, ...next });
  };
  const [sent, setSent] = useState(false);
  const colors = useId();
  const { name, color, checked } = values;
  const problem = problemOf(name, sent);
  const error = problem !== undefined && (sent || name !== (status?.name ?? '')) ? problem : errorOf('name');
  const save = async () => {
    setSent(true);
    if (problem === undefined)
      await attempt(() => onSave({ ...values, name: name.trim() }, before).then(draft.discard));
  };
  return (
    <EntryForm
      label={status ? `Edit ${status.name}` : 'New status'}
      save={status ? 'Save status' : 'Create status'}
      busy={busy}
      unsaved={unsaved}
      dirty={JSON.stringify(values) !== JSON.stringify(before)}
      draft={draft}
      failed={status ? managing.updateStatus : managing.createStatus}
      onSave={save}
      onClose={onClose}
      beside={
        <span className="statuses-example">
          Looks like <Lozenge name={name.trim() || 'Name'} color={color} />
        </span>
      }
    >
      <TextInput label="Name" value={name} error={error} autoFocus onChange={typed => change({ name: typed })} />
      <fieldset className="form-field">
        <legend className="form-label">Colour</legend>
        <div className="form-choices">
          {statusColors.map(each => (
            <label key={each} className="statuses-color">
              <input
                type="radio"
                name={colors}
                value={each}
                checked={each === color}
                aria-label={each}
                onChange={() => change({ color: each })}
              />
              <span className={`check-status check-status-${lozengeOf[each]}`} aria-hidden="true">
                {each}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <Check
        checked={checked}
        disabled={status?.builtIn ?? false}
        hint={status?.builtIn ? "You can't change this for a built-in status." : undefined}
        onChange={now => change({ checked: now })}
      >
        Completes an item
      </Check>
    </EntryForm>
  );
}

interface RemoveStatusProps {
  status: ManagedStatus;
  /** Possible replacement statuses. */
  others: readonly ManagedStatus[];
  busy: boolean;
  /** Why the last attempt failed. */
  failure: string | undefined;
  onDelete(moveTo: string): void;
  onClose(): void;
}

const count = (value: number, one: string, many: string) => `${value.toLocaleString('en')} ${value === 1 ? one : many}`;

/** Asks for a replacement for the items of a status before it is deleted, and shows their number. */
function RemoveStatus({ status, others, busy, failure, onDelete, onClose }: RemoveStatusProps) {
  const { data: use, isError } = useStatusUse(status.slug);
  const first = others.find(({ checked }) => checked === status.checked) ?? others[0];
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  // The selected status may be deleted meanwhile.
  const to = others.find(({ slug }) => slug === chosen)?.slug ?? first?.slug ?? '';
  return (
    <InlineDialog className="form form-boxed" label={`Delete ${status.name}?`} onClose={onClose}>
      {use ? (
        <p className="statuses-use">
          {use.items + use.templates === 0
            ? 'No item has this status.'
            : `Used on ${count(use.items, 'item', 'items')} of ${count(use.issues, 'issue', 'issues')} and in ${count(use.templates, 'template', 'templates')}.`}
        </p>
      ) : isError ? (
        <p className="statuses-use">{`${managing.getStatuses} We don't know how many items have this status.`}</p>
      ) : (
        <Loading size="small" />
      )}
      <Select
        label="Change its items to"
        value={to}
        options={others.map(({ slug, name }) => ({ value: slug, words: name }))}
        onChange={setChosen}
      />
      <FormButtons
        save="Delete status"
        appearance="danger"
        busy={busy}
        failure={failure}
        onSave={() => onDelete(to)}
        onCancel={onClose}
      />
    </InlineDialog>
  );
}

interface OpenStatusProps {
  kind: 'edit' | 'delete';
  status: ManagedStatus;
  /** The project whose statuses are shown. */
  projectId: string | undefined;
  onTyped(values: StatusInput): void;
  onDeleting(): void;
  onClose(): void;
}

/** Replaces a status in the list: the form that edits it, or the confirmation of its deletion. */
export function OpenStatus({ kind, status, projectId, onTyped, onDeleting, onClose }: OpenStatusProps) {
  const { statuses = [], update, remove } = useStatusSettings(projectId);
  return kind === 'edit' ? (
    <StatusForm
      status={status}
      projectId={projectId}
      busy={update.isPending}
      onTyped={onTyped}
      onSave={(values, before) =>
        update.mutateAsync({ slug: status.slug, ...changedValues(before, values) }).then(onClose)
      }
      onClose={onClose}
    />
  ) : (
    <RemoveStatus
      status={status}
      others={statuses.filter(({ slug, going }) => slug !== status.slug && !going)}
      busy={remove.isPending}
      failure={remove.error ? failureMessage(remove.error, managing.deleteStatus) : undefined}
      onDelete={moveTo => {
        onDeleting();
        remove.mutate({ slug: status.slug, moveTo }, { onSuccess: onClose });
      }}
      onClose={onClose}
    />
  );
}
