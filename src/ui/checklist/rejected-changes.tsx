import type { RejectedChange } from '../../client/changes.ts';
import { type ChecklistChange, typedTexts } from '../../domain/change.ts';
import { whole } from '../../domain/messages.ts';
import { nameIn, withNames } from '../../text/export/person.ts';
import { copyText } from '../kit/copy-and-download.ts';
import { Message } from '../kit/message.tsx';
import { useKnownNames } from '../model/people.tsx';
import { useNotify } from '../shell/services/services.ts';

interface Props {
  changes: readonly RejectedChange[];
  onResend(id: string): void;
  onDiscard(id: string): void;
}

/** A short name of a change, with all typed text but that of the editor. */
function nameOf(change: ChecklistChange): string {
  switch (change.kind) {
    case 'addChecklistItemsFromText':
      return `“${change.text.trim()}”`;
    case 'updateChecklistItem':
      return `“${[change.values.text ?? change.target.text, change.values.details ?? ''].join('\n').trim()}”`;
    case 'setItemStatus':
      return `the status of “${change.target.text}”`;
    case 'deleteChecklistItem':
      return `deleting “${change.target.text}”`;
    case 'changeChecklistItems':
      return `changes to ${change.edits.length === 1 ? '1 item' : `${change.edits.length} items`}`;
    case 'moveChecklistItem':
      return `moving “${change.targets[0]?.text ?? ''}”`;
    case 'updateChecklistFromText':
      return 'your text from the editor';
    case 'clearChecklist':
      return 'clearing the checklist';
    case 'applyTemplateToChecklist':
    case 'applyDemoTemplateToChecklist':
      return 'applying the template';
    case 'convertItemToIssue':
      return `converting “${change.target.text}” to an issue`;
    case 'restoreChecklistRevision':
      return 'restoring the earlier version';
  }
}

/** Rejected changes, each with Retry, Copy and Discard. */
export default function RejectedChanges({ changes, onResend, onDiscard }: Props) {
  const notify = useNotify();
  const names = useKnownNames();
  const named = (change: ChecklistChange) => withNames(nameOf(change), { nameOf: nameIn(names()) });
  const copy = async (text: string) => {
    const done = await copyText(text);
    notify(done ? whole.textCopied : whole.textNotCopied, done ? 'success' : 'error');
  };
  const copying = (typed: readonly string[]) =>
    typed.length === 0 ? [] : [{ label: 'Copy', run: () => void copy(typed.join('\n')) }];
  return changes.map(({ id, change, message }) => (
    <div key={id} className="check-offer">
      <Message
        appearance="error"
        title={`Not saved: ${named(change)}`}
        actions={[
          { label: 'Retry', run: () => onResend(id) },
          ...copying(typedTexts(change)),
          { label: 'Discard', run: () => onDiscard(id) },
        ]}
      >
        {message}
        {change.kind === 'updateChecklistFromText' ? ' Open the editor to continue editing.' : null}
      </Message>
    </div>
  ));
}
