import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import type { Row } from '../../../text/types.ts';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import { useNotify } from '../../shell/services/services.ts';
import type { FieldProps } from './text-field.tsx';
import type { OpenPart } from './use-open-part.ts';

/** Reports that the editor failed to load, and closes. */
function NoField({ onClose }: FieldProps) {
  const notify = useNotify();
  useEffect(() => {
    notify('The editor of this row could not be loaded.', 'error');
    onClose(true);
  });
  return null;
}

const Field = lazy<ComponentType<FieldProps>>(() => import('./text-field.tsx').catch(() => ({ default: NoField })));

interface Props {
  row: Row;
  actions: RowActions;
  opened: OpenPart;
  part: 'text' | 'details';
}

/** A row's text or details in edit mode; plain text until the editor is loaded. */
export default function Edit({ row, actions, opened, part }: Props) {
  return (
    <Suspense fallback={part === 'text' ? <span className="check-text">{row.text}</span> : null}>
      <Field
        row={row}
        part={part}
        draft={opened.draft}
        actions={actions}
        onClose={withFocus => opened.close(part, withFocus)}
        onRefused={(draft, id) => {
          // The row is unmounted: the change stays among the rejected ones.
          if (!opened.root.current?.isConnected) return;
          opened.open(part, draft);
          actions.discard(id);
        }}
      />
    </Suspense>
  );
}
