import type { HostBridge } from '../../../bridge/bridge.ts';
import type { IssueRef } from '../../../client/reading.ts';

/**
 * The ways from a checklist to the template manager, which is a dialog of ours: to choose one for this issue, or to change
 * them. The dialog tells them apart by `purpose`.
 */
const open = (bridge: HostBridge, { issueId, issueKey }: IssueRef, purpose: 'import' | 'manage') =>
  void bridge.openDialog('templates', { issueId, issueKey, purpose }).catch(() => undefined);

export const importTemplate = (bridge: HostBridge, issue: IssueRef): void => open(bridge, issue, 'import');
export const manageTemplates = (bridge: HostBridge, issue: IssueRef): void => open(bridge, issue, 'manage');
