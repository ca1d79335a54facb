import type { HostBridge } from '../../bridge/bridge.ts';
import { places } from '../../domain/pages.ts';
import { isAnswer, TrackerError } from '../errors.ts';

/**
 * Pins the panel on all issues of a project, or unpins it, if the host needs that besides the project's setting
 * (Forge). Resolves with whether it succeeded: only site administrators have the permission. Rejects if the tracker fails.
 */
export async function pinPanel(
  bridge: HostBridge,
  projectId: string,
  isPinned: boolean,
  isAdmin: boolean,
): Promise<boolean> {
  const extension = await bridge.extension?.();
  if (extension === undefined || !isAdmin) return extension === undefined;
  const { status, text } = await bridge.request('/rest/api/3/forge/panel/action/bulk/async', {
    method: 'POST',
    json: {
      moduleId: extension + places.panel.key,
      projectList: [{ projectIdOrKey: projectId, action: isPinned ? 'PIN' : 'UNPIN' }],
    },
  });
  const error = status < 300 ? undefined : new TrackerError(status, text);
  if (error && !isAnswer(error)) throw error;
  return error === undefined;
}
