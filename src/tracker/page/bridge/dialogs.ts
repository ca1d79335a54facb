import type { DialogProvider, FrameKey } from 'atlassian-connect-js';
import type { ForgeModule, Place } from '../../wire.ts';
import type { About } from '../data/shapes.ts';
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
  /** What the frame that opened it is about. */
  about: About;
  /** What had the focus before, and gets it back. */
  opener: Element | null;
  /** Tells the frame that opened it that it was closed without an answer. */
  dismissed(): void;
}

export interface ConnectDialog extends OpenDialog {
  framework: 'connect';
  addonKey: string;
  /** The page that it shows. */
  moduleKey: string;
  /** What its own frame is mounted with. */
  options: Record<string, unknown>;
}

/** Shows the page of the frame that opened it. */
export interface ForgeDialog extends OpenDialog {
  framework: 'forge';
  module: ForgeModule;
  /** Where the module stands. */
  place: Place;
  /** What its page finds in `extension.modal`. */
  context: unknown;
  /** Tells the frame that opened it with what it was closed. */
  closed(payload: unknown): void;
  /** Tells its own frame when it is closed. */
  onClosing(listener: () => unknown): void;
}

/** The open dialogs, topmost last. */
export const dialogs = createStore<readonly Dialog[]>([]);

/** Closes the topmost dialog as Escape does: its opener hears of it, without an answer. */
export function dismissDialog(): void {
  const top = dialogs.get().at(-1);
  if (!top) return;
  top.dismissed();
  dialogs.update(open => open.slice(0, -1));
}

/** The page goes elsewhere: dialogs belong to what was there. */
export const closeDialogs = (): void => dialogs.update(open => (open.length ? [] : open));

const nothing = () => undefined;

/** Behind `AP.dialog`. Our dialogs are all without chrome, so that buttons in it have nothing to do. */
export const dialogProvider: DialogProvider = {
  create({ id, size, width, height, closeOnEscape }, extension) {
    const addonKey = extension.addon_key;
    const opened: Dialog = {
      framework: 'connect',
      ...{ id, addonKey, moduleKey: extension.key, size, width, height, closeOnEscape },
      about: { ...frames.get(extension.callback_extension_id)?.about, addonKey },
      // By these the bridge finds the custom data again and listens for Escape inside the frame.
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
