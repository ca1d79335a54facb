import type { HostBridge } from '../../bridge/bridge.ts';
import { places } from '../../domain/pages.ts';

/**
 * Has the panel stand on all issues of a project without a click on each, or not any more, where the tracker wants that
 * beside the project's setting (Forge). Resolves with whether it did: only administrators of the site may.
 */
export async function pinPanel(
  bridge: HostBridge,
  projectId: string,
  isPinned: boolean,
  isAdmin: boolean,
): Promise<boolean> {
  const extension = await bridge.extension?.();
  if (extension === undefined || !isAdmin) return extension === undefined;
  const { status } = await bridge.request('/rest/api/3/forge/panel/action/bulk/async', {
    method: 'POST',
    json: {
      moduleId: extension + places.panel.key,
      projectList: [{ projectIdOrKey: projectId, action: isPinned ? 'PIN' : 'UNPIN' }],
    },
  });
  return status < 300;
}
