import type { HostBridge } from '../../../bridge/bridge.ts';
import type { ChecklistStore } from '../../../client/checklist.ts';
import { failureMessage } from '../../../client/errors.ts';
import type { IssueRef } from '../../../client/reading.ts';
import { failures } from '../../../domain/messages.ts';
import type { Notify } from '../../app/hooks.ts';
import { parseChoice } from '../../templates/choice.ts';
import type { Actions } from '../use-actions.ts';

/**
 * The ways from a checklist to the template manager, which is a dialog of ours: to choose one for this issue, or to change
 * them. The dialog tells them apart by `purpose`.
 */
const open = async (bridge: HostBridge, { issueId, issueKey }: IssueRef, purpose: 'import' | 'manage') =>
  bridge.openDialog('templates', { issueId, issueKey, purpose }).catch(() => undefined);

interface Into {
  bridge: HostBridge;
  issue: IssueRef;
  store: ChecklistStore;
  actions: Pick<Actions, 'step'>;
  notify: Notify;
}

/** Lets somebody choose templates and applies them: one change, which can be taken back as soon as the server made it. */
export async function importTemplate({ bridge, issue, store, actions, notify }: Into): Promise<void> {
  const choice = parseChoice(await open(bridge, issue, 'import'));
  if (!choice) return;
  const { templateIds, names, mode, section } = choice;
  const change = store.change({ kind: 'applyTemplateToChecklist', templateIds, mode, ...(section && { section }) });
  const label = names.length === 1 ? `Imported “${names[0]}”` : `Imported ${names.length} templates`;
  change.outcome.then(
    () => actions.step(label, change),
    error => notify(failureMessage(error, failures.updateChecklist), 'error'),
  );
}

export const manageTemplates = (bridge: HostBridge, issue: IssueRef): void => void open(bridge, issue, 'manage');
