import Button from '@atlaskit/button/new';
import { useState } from 'react';
import type { ManagedStatus } from '../../../client/admin/statuses.ts';
import { managing } from '../../../domain/messages.ts';
import { Loading } from '../../kit/content-state.tsx';
import { changedOf, Select } from '../../kit/form/form.tsx';
import { InlineDialog } from '../../kit/popover.tsx';
import { StatusForm } from './status-form.tsx';
import { type StatusInput, useStatusSettings, useStatusUse } from './use-status-settings.ts';

interface RemoveStatusProps {
  status: ManagedStatus;
  /** Possible replacement statuses. */
  others: readonly ManagedStatus[];
  busy: boolean;
  onDelete(moveTo: string): void;
  onClose(): void;
}

const count = (value: number, one: string, many: string) => `${value.toLocaleString('en')} ${value === 1 ? one : many}`;

/** Asks for a replacement for the items of a status before it is deleted, and shows their number. */
export function RemoveStatus({ status, others, busy, onDelete, onClose }: RemoveStatusProps) {
  const { data: use, isError } = useStatusUse(status.slug);
  const first = others.find(({ checked }) => checked === status.checked) ?? others[0];
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  // The selected status may be deleted meanwhile.
  const to = others.find(({ slug }) => slug === chosen)?.slug ?? first?.slug ?? '';
  return (
    <InlineDialog className="form form-boxed" label={`Delete ${status.name}`} onClose={onClose}>
      {use ? (
        <p className="statuses-use">
          {use.items + use.templates === 0
            ? 'No item has this status.'
            : `${count(use.items, 'item', 'items')} of ${count(use.issues, 'issue', 'issues')} and ${count(use.templates, 'template', 'templates')} have this status.`}
        </p>
      ) : isError ? (
        <p className="statuses-use">{`${managing.getStatuses} We don't know how many items have this status.`}</p>
      ) : (
        <Loading size="small" />
      )}
      <Select
        label="Its items get"
        value={to}
        options={others.map(({ slug, name }) => ({ value: slug, words: name }))}
        onChange={setChosen}
      />
      <div className="form-buttons">
        <Button appearance="danger" isLoading={busy} onClick={() => onDelete(to)}>
          Delete status
        </Button>
        <Button appearance="subtle" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </InlineDialog>
  );
}

interface Props {
  kind: 'edit' | 'delete';
  status: ManagedStatus;
  /** The project whose statuses are shown. */
  projectId: string | undefined;
  onTyped(values: StatusInput): void;
  onDeleting(): void;
  onClose(): void;
}

/** Replaces a status in the list: the form that edits it, or the confirmation of its deletion. */
export function OpenStatus({ kind, status, projectId, onTyped, onDeleting, onClose }: Props) {
  const { statuses = [], update, remove } = useStatusSettings(projectId);
  return kind === 'edit' ? (
    <StatusForm
      status={status}
      busy={update.isPending}
      onTyped={onTyped}
      onSave={(values, before) => update.mutateAsync({ slug: status.slug, ...changedOf(before, values) }).then(onClose)}
      onClose={onClose}
    />
  ) : (
    <RemoveStatus
      status={status}
      others={statuses.filter(({ slug, going }) => slug !== status.slug && !going)}
      busy={remove.isPending}
      onDelete={moveTo => {
        onDeleting();
        remove.mutate({ slug: status.slug, moveTo }, { onSuccess: onClose });
      }}
      onClose={onClose}
    />
  );
}
