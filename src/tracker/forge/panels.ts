import * as v from 'valibot';
import type { Store } from '../store.ts';
import { extensionAri } from './identifiers.ts';
import type { ForgePlatform } from './platform.ts';

/** Issue panels pinned to all issues of a project; others appear after a click on their button. */
export interface Panels {
  /** Key of the panel's module, by its identifier. */
  find(moduleId: string): string | undefined;
  pin(moduleKey: string, projectId: string, isPinned: boolean): Promise<void>;
  isPinned(moduleKey: string, projectId: string): boolean;
}

export function openPanels({ appId, environment, manifest }: ForgePlatform, store: Store): Panels {
  const pinned = store.collection('forge-panel', v.literal(true));
  const id = (moduleKey: string, projectId: string) => `${moduleKey}/${projectId}`;
  return {
    find: moduleId =>
      manifest.modules['jira:issuePanel'].find(({ key }) => extensionAri(appId, environment.id, key) === moduleId)?.key,
    pin: (moduleKey, projectId, isPinned) =>
      isPinned ? pinned.put(id(moduleKey, projectId), true) : pinned.delete(id(moduleKey, projectId)),
    isPinned: (moduleKey, projectId) => pinned.get(id(moduleKey, projectId)) !== undefined,
  };
}
