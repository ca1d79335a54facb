import type { ManagedStatus } from '../../../client/admin/statuses.ts';
import { changedOf } from '../../kit/form/changed-values.ts';
import { RemoveStatus } from './remove-status.tsx';
import { StatusForm } from './status-form.tsx';
import { type StatusInput, useStatusSettings } from './use-status-settings.ts';

interface Props {
  kind: 'edit' | 'delete';
  status: ManagedStatus;
  /** Whose statuses are shown. */
  projectId: string | undefined;
  onTyped(values: StatusInput): void;
  onDeleting(): void;
  onClose(): void;
}

/** In the place of a status: the form that changes it, or the question before it is deleted. */
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
