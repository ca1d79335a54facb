import DeleteIcon from '@atlaskit/icon/core/delete';
import EditIcon from '@atlaskit/icon/core/edit';
import { memo } from 'react';
import type { ManagedStatus } from '../../../client/admin/statuses.ts';
import { RowButton } from '../../kit/sortable/row-button.tsx';
import { Lozenge } from './status-form.tsx';

interface Props {
  status: ManagedStatus;
  onShow(kind: 'edit' | 'delete', slug: string): void;
}

/** A status that can be changed here, and its tools. Of two hundred only those are rendered that change. */
export const StatusEntry = memo(({ status, onShow }: Props) => {
  const { slug, name, builtIn, going } = status;
  return (
    <>
      <StatusWords status={status} />
      {going ? null : (
        <span className="statuses-tools">
          <RowButton
            icon={EditIcon}
            label={`Edit ${name}`}
            data-opens={`edit ${slug}`}
            onClick={() => onShow('edit', slug)}
          />
          {builtIn ? null : (
            <RowButton
              icon={DeleteIcon}
              label={`Delete ${name}`}
              data-opens={`delete ${slug}`}
              onClick={() => onShow('delete', slug)}
            />
          )}
        </span>
      )}
    </>
  );
});

/** A status as it looks, and what is special about it. */
export const StatusWords = ({ status }: { status: ManagedStatus }) => (
  <>
    <Lozenge name={status.name} color={status.color} />
    <span className="statuses-about">
      {[
        ...(status.checked ? ['completes an item'] : []),
        ...(status.builtIn ? ['built in'] : []),
        ...(status.going ? ['being deleted'] : []),
      ].join(' · ')}
    </span>
  </>
);
