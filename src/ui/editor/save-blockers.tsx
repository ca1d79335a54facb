import type { ChecklistStore, ChecklistView } from '../../client/checklist.ts';
import { failureMessage } from '../../client/errors.ts';
import { refusals, shell } from '../../domain/messages.ts';
import { Message } from '../kit/message.tsx';

interface Props {
  editable: boolean;
  store: ChecklistStore;
  view: ChecklistView;
}

/** Why what is typed could not be saved, as long as that is so. */
export function SaveBlockers({ editable, store, view }: Props) {
  const retry = { label: shell.retry, run: () => void store.prepare().catch(() => undefined) };
  return (
    <>
      {editable ? null : (
        <div className="editor-notice">
          <Message appearance="warning">{refusals.permission}</Message>
        </div>
      )}
      {view.unready === undefined ? null : (
        <div className="editor-notice">
          <Message appearance="error" actions={[retry]}>
            {failureMessage(view.unready)}
          </Message>
        </div>
      )}
    </>
  );
}
