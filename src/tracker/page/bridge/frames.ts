import type { AddonProvider } from 'atlassian-connect-js';
import type { ConnectModule, ModulePlace } from '../../wire/modules.ts';
import type { About } from '../data/queries.ts';
import type { Dialog } from './dialogs.ts';
import { connectHost } from './host.ts';

/** A mounted page of the add-on. */
export interface MountedFrame {
  element: HTMLIFrameElement;
  about: About;
  /** Called with the height that the frame requests, in pixels; none for full-size frames. */
  onHeight: ((height: number) => void) | undefined;
  /** Called when the bridge between the pages is established. */
  onEstablished(): void;
}

/** By the bridge's id. */
export const frames = new Map<string, MountedFrame>();

const moduleTypes: Record<ModulePlace, string> = {
  'issue-content': 'jiraIssueContents',
  'issue-context': 'jiraIssueContexts',
  portal: 'serviceDeskPortalRequestViewPanels',
  'project-admin': 'jiraProjectAdminTabPanels',
  general: 'generalPages',
  'project-page': 'jiraProjectPages',
  admin: 'adminPages',
  'post-install': 'postInstallPage',
  configure: 'configurePage',
  'rule-create': 'workflow',
  'rule-edit': 'workflow',
  'rule-view': 'workflow',
  gadget: 'jiraDashboardItems',
  'gadget-edit': 'jiraDashboardItems',
  dialog: 'dialogs',
};

export interface FrameOptions {
  place: ModulePlace;
  about: About;
  /** The dialog of the frame. */
  dialog?: Dialog | undefined;
  onHeight: ((height: number) => void) | undefined;
  onEstablished(): void;
  onLoad(): void;
}

/** Mounts a page of the add-on in the holder. Returns the function that removes it. */
export function mountFrame(holder: HTMLElement, module: ConnectModule, frame: FrameOptions): () => void {
  const { extension, iframeAttributes } = connectHost.createExtension({
    addon_key: module.addonKey,
    key: module.key,
    url: module.url,
    options: {
      autoresize: false,
      hostOrigin: location.origin,
      // The frame talks to its parent instead of the topmost window: this page may be framed itself.
      hostFrameOffset: 1,
      isFullPage: ['general', 'project-page'].includes(frame.place) || frame.place === 'admin',
      moduleType: moduleTypes[frame.place],
      contextPath: '',
      structuredContext: module.structuredContext,
      ...(frame.dialog?.framework === 'connect' && frame.dialog.options),
    },
  });
  const element = document.createElement('iframe');
  for (const [name, value] of Object.entries(iframeAttributes)) element.setAttribute(name, value);
  element.title = module.name;
  element.referrerPolicy = 'no-referrer';
  element.addEventListener('load', frame.onLoad);
  frames.set(extension.id, {
    element,
    about: frame.about,
    onHeight: frame.onHeight,
    onEstablished: frame.onEstablished,
  });
  holder.append(element);
  return () => {
    frames.delete(extension.id);
    // The bridge watches the document and forgets the extension of a removed frame.
    element.remove();
  };
}

/** Behind `AP.resize`. A frame always has the full width. */
export const addonProvider: AddonProvider = {
  resize(_width, height, caller) {
    const pixels = String(height).endsWith('%') ? Number.NaN : Number.parseFloat(height);
    if (Number.isFinite(pixels)) frames.get(caller.extension_id)?.onHeight?.(Math.max(0, Math.ceil(pixels)));
  },
  sizeToParent: () => undefined,
  registerUnmountCallback: () => undefined,
};
