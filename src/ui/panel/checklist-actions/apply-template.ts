import type { HostBridge } from '../../../bridge/bridge.ts';
import type { ChecklistStore } from '../../../client/checklist.ts';
import { failureMessage } from '../../../client/errors.ts';
import type { IssueRef } from '../../../client/reading.ts';
import { failures } from '../../../domain/messages.ts';
import type { Actions } from '../../model/checklist/use-actions.ts';
import { parseChoice } from '../../model/templates/template-choice.ts';
import { openDialog } from '../../shell/navigation/tracker-dialog.tsx';
import type { Notify } from '../../shell/services/services.ts';

/**
 * The ways from a checklist to the template manager, which is a dialog of ours: to choose one for this issue, or to change
 * them. The dialog tells them apart by `purpose`.
 */
const open = (
  { bridge, issue: { issueId, issueKey }, notify }: Pick<Into, 'bridge' | 'issue' | 'notify'>,
  purpose: 'import' | 'manage',
) => openDialog(bridge, notify, 'templates', { issueId, issueKey, purpose });

interface Into {
  bridge: HostBridge;
  issue: IssueRef;
  store: ChecklistStore;
  actions: Pick<Actions, 'step'>;
  notify: Notify;
}

/** Lets somebody choose templates and applies them: one change, which can be taken back as soon as the server made it. */
export async function importTemplate(into: Into): Promise<void> {
  const { store, actions, notify } = into;
  const choice = parseChoice(await open(into, 'import'));
  if (!choice) return;
  const { templateIds, names, mode, section } = choice;
  const change = store.change({ kind: 'applyTemplateToChecklist', templateIds, mode, ...(section && { section }) });
  const label = names.length === 1 ? `Imported “${names[0]}”` : `Imported ${names.length} templates`;
  change.outcome.then(
    () => actions.step(label, change),
    error => notify(failureMessage(error, failures.updateChecklist), 'error'),
  );
}

export const manageTemplates = (into: Pick<Into, 'bridge' | 'issue' | 'notify'>): void => void open(into, 'manage');
