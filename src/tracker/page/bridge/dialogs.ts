import type { DialogProvider, FrameKey } from 'atlassian-connect-js';
import type { About } from '../data/shapes.ts';
import { frames } from './frames.ts';
import { connectHost } from './host.ts';
import { createStore } from './store.ts';

export interface Dialog {
  id: string;
  addonKey: string;
  /** The page that it shows. */
  moduleKey: string;
  size: string | undefined;
  width: string | undefined;
  height: string | undefined;
  closeOnEscape: boolean;
  /** What the frame that opened it is about. */
  about: About;
  /** What its own frame is mounted with. */
  options: Record<string, unknown>;
  /** What had the focus before, and gets it back. */
  opener: Element | null;
}

/** The open dialogs, topmost last. */
export const dialogs = createStore<readonly Dialog[]>([]);

/** Closes the topmost dialog as Escape does: its opener hears of it, without an answer. */
export function dismissDialog(): void {
  const top = dialogs.get().at(-1);
  if (!top) return;
  connectHost.broadcastEvent('dialog.close', { addon_key: top.addonKey });
  dialogs.update(open => open.slice(0, -1));
}

/** The page goes elsewhere: dialogs belong to what was there. */
export const closeDialogs = (): void => dialogs.update(open => (open.length ? [] : open));

const nothing = () => undefined;

/** Behind `AP.dialog`. Our dialogs are all without chrome, so that buttons in it have nothing to do. */
export const dialogProvider: DialogProvider = {
  create({ id, size, width, height, closeOnEscape }, extension) {
    const opened: Dialog = {
      id,
      addonKey: extension.addon_key,
      moduleKey: extension.key,
      size,
      width,
      height,
      closeOnEscape,
      about: { ...frames.get(extension.callback_extension_id)?.about, addonKey: extension.addon_key },
      // By these the bridge finds the custom data again and listens for Escape inside the frame.
      options: { ...extension.options, isDialog: true, dialogId: id },
      opener: document.activeElement,
    };
    dialogs.update(open => [...open, opened]);
  },
  close(key?: FrameKey) {
    if (key?.keycode) dismissDialog();
    else dialogs.update(open => open.slice(0, -1));
  },
  isActiveDialog: addonKey => dialogs.get().some(dialog => dialog.addonKey === addonKey),
  setButtonDisabled: nothing,
  isButtonDisabled: () => false,
  toggleButton: nothing,
  setButtonHidden: nothing,
  isButtonHidden: () => false,
  createButton: nothing,
};
