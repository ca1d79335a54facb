import * as v from 'valibot';
import { type DialogName, dialogs } from '../domain/pages.ts';
import { readAs } from '../domain/shape.ts';
import type { HostContext, Json } from './bridge.ts';
import { close, events, Modal } from './forge-vendor.ts';
import { expectDialog } from './host-timeout.ts';
import { parseObject } from './json.ts';

/** Sent by a dialog's own frame, with its id, once it has loaded. */
const SHOWN_EVENT = 'checklist-dialog-shown';

/** Sent as one text: nulls do not survive every way through the host. */
const envelopeShape = v.object({ json: v.string() });
const unwrap = (value: unknown) => parseObject(readAs(envelopeShape, value)?.json);

const openedShape = v.object({
  dialog: v.picklist(Object.keys(dialogs) as DialogName[]),
  dialogId: v.string(),
  about: v.record(v.string(), v.string()),
});

/** Data passed by the opener to a dialog. */
export interface Opened {
  dialog: DialogName;
  dialogId: string;
  /** Ids and keys of what the opener is about. */
  about: Record<string, string>;
  data: Json;
}

/** Reads the opener's data from the dialog frame's context; `undefined` for any other frame. */
export function readOpened(modal: unknown): Opened | undefined {
  const unwrappedModal = unwrap(modal);
  const opened = readAs(openedShape, unwrappedModal);
  return opened && { ...opened, data: unwrappedModal?.data ?? null };
}

/** Announces to the opener that its dialog has loaded. */
export const announce = ({ dialogId }: Opened): void => void events.emit(SHOWN_EVENT, dialogId).catch(() => undefined);

/** Opens a dialog with the same context; see `HostBridge.openDialog`. */
export function openModal(
  about: Omit<HostContext, 'surface' | 'dialogData'>,
  name: DialogName,
  data: Json,
  missing?: () => void,
): Promise<Json | undefined> {
  const dialogId = crypto.randomUUID();
  let loaded = () => {};
  expectDialog(
    new Promise(resolve => {
      loaded = resolve;
    }),
    missing,
  );
  const subscription = events.on(SHOWN_EVENT, shown => {
    if (shown === dialogId) loaded();
  });
  subscription.catch(() => undefined);
  return new Promise<Json | undefined>((resolve, reject) => {
    const modal = new Modal({
      size: 'max',
      closeOnEscape: dialogs[name].closeOnEscape,
      closeOnOverlayClick: false,
      context: { json: JSON.stringify({ dialog: name, dialogId, about, data }) },
      // Without a payload after Escape.
      onClose: payload => resolve(unwrap(payload)?.result),
    });
    modal.open().catch(reject);
  }).finally(() => {
    loaded();
    void subscription.then(({ unsubscribe }) => unsubscribe()).catch(() => undefined);
  });
}

/** Closes the dialog of this frame; does nothing in other frames. */
export const closeModal = (result: Json | undefined): void =>
  void close({ json: JSON.stringify({ result }) }).catch(() => undefined);
