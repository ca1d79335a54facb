import type { DialogProvider, FrameKey } from 'atlassian-connect-js';
import type { ForgeModule, ModulePlace } from '../../wire/modules.ts';
import type { About } from '../data/queries.ts';
import { frames } from './frames.ts';
import { connectHost } from './host.ts';
import { createStore } from './store.ts';

export type Dialog = ConnectDialog | ForgeDialog;

interface OpenDialog {
  id: string;
  size: string | undefined;
  width: string | undefined;
  height: string | undefined;
  closeOnEscape: boolean;
  /** The context of the opener's frame. */
  about: About;
  /** The element to focus after closing. */
  opener: Element | null;
  /** Notifies the opener's frame that it was closed without an answer. */
  dismissed(): void;
}

export interface ConnectDialog extends OpenDialog {
  framework: 'connect';
  addonKey: string;
  /** The page that it shows. */
  moduleKey: string;
  /** Options for its own frame. */
  options: Record<string, unknown>;
}

/** Shows the page of the frame that opened it. */
export interface ForgeDialog extends OpenDialog {
  framework: 'forge';
  module: ForgeModule;
  /** The module's place. */
  place: ModulePlace;
  /** Passed to its page as `extension.modal`. */
  context: unknown;
  /** Notifies the opener's frame with the payload of closing. */
  closed(payload: unknown): void;
  /** Subscribes its own frame to closing. */
  onClosing(listener: () => unknown): void;
}

/** The open dialogs, topmost last. */
export const dialogs = createStore<readonly Dialog[]>([]);

/** Closes the topmost dialog as Escape does: its opener is notified without an answer. */
export function dismissDialog(): void {
  const top = dialogs.get().at(-1);
  if (!top) return;
  top.dismissed();
  dialogs.update(open => open.slice(0, -1));
}

/** Closes all dialogs when the page navigates. */
export const closeDialogs = (): void => dialogs.update(open => (open.length ? [] : open));

const nothing = () => undefined;

/** Behind `AP.dialog`. The app's dialogs have no chrome, so chrome buttons do nothing. */
export const dialogProvider: DialogProvider = {
  create({ id, size, width, height, closeOnEscape }, extension) {
    const addonKey = extension.addon_key;
    const opened: Dialog = {
      framework: 'connect',
      ...{ id, addonKey, moduleKey: extension.key, size, width, height, closeOnEscape },
      about: { ...frames.get(extension.callback_extension_id)?.about, addonKey },
      // The bridge reads custom data from these and listens for Escape inside the frame.
      options: { ...extension.options, isDialog: true, dialogId: id },
      opener: document.activeElement,
      dismissed: () => connectHost.broadcastEvent('dialog.close', { addon_key: addonKey }),
    };
    dialogs.update(open => [...open, opened]);
  },
  close(key?: FrameKey) {
    if (key?.keycode) dismissDialog();
    else dialogs.update(open => open.slice(0, -1));
  },
  isActiveDialog: addonKey =>
    dialogs.get().some(dialog => dialog.framework === 'connect' && dialog.addonKey === addonKey),
  setButtonDisabled: nothing,
  isButtonDisabled: () => false,
  toggleButton: nothing,
  setButtonHidden: nothing,
  isButtonHidden: () => false,
  createButton: nothing,
};
