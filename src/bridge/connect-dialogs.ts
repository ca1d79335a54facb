import { type DialogName, dialogs } from '../domain/pages.ts';
import type { Ap, ApEnvelope } from './ap.ts';
import type { Json } from './bridge.ts';
import { expectDialog } from './host-timeout.ts';
import { parseObject } from './json.ts';

/** Sent among the app's frames, since `dialog.close` reaches all of them and carries no data after Escape. */
const OPENED_EVENT = 'checklist-dialog-opened';
const CLOSED_EVENT = 'checklist-dialog-closed';
/** Sent by a dialog's own frame once it has loaded. */
const SHOWN_EVENT = 'checklist-dialog-shown';

const envelope = (value: Json): ApEnvelope => ({ json: JSON.stringify(value) });

/** The content of an envelope; `undefined` for anything else. */
const unwrap = (value: unknown) =>
  typeof value === 'object' && value !== null && 'json' in value ? parseObject(value.json) : undefined;

export interface ConnectDialogs {
  open(name: DialogName, data: Json, missing?: () => void): Promise<Json | undefined>;
  close(result: Json | undefined): void;
  /** The data passed to this frame if it is a dialog. */
  data(): Promise<Json | undefined>;
}

/**
 * Dialogs by id. Every frame keeps the stack of the page's open dialogs: a close with an id closes that dialog and
 * those above it, a close without one (Escape) closes the topmost.
 */
export function connectDialogs(ap: Ap): ConnectDialogs {
  let stack: readonly string[] = [];
  const waiting = new Map<string, (result: Json | undefined) => void>();
  // Own announcements are received too, perhaps after the dialog was closed.
  const mine = new Set<string>();
  /** To be called when a dialog has loaded or is closed. */
  const loading = new Map<string, () => void>();

  const came = (id: string) => {
    loading.get(id)?.();
    loading.delete(id);
  };
  const settle = (id: string, result?: Json) => {
    came(id);
    const at = stack.indexOf(id);
    if (at >= 0) stack = stack.slice(0, at);
    const resolve = waiting.get(id);
    if (!resolve) return;
    waiting.delete(id);
    resolve(result);
    ap.events.emit(CLOSED_EVENT, id);
  };

  ap.events.on(OPENED_EVENT, id => {
    if (typeof id === 'string' && !mine.has(id)) stack = [...stack, id];
  });
  ap.events.on(SHOWN_EVENT, id => {
    if (typeof id === 'string') came(id);
  });
  ap.events.on(CLOSED_EVENT, id => {
    if (typeof id === 'string') settle(id);
  });
  ap.events.on('dialog.close', payload => {
    const closed = unwrap(payload);
    if (typeof closed?.dialogId === 'string') settle(closed.dialogId, closed.result);
    if (payload !== undefined && payload !== null) return;
    // Another frame's topmost dialog is resolved by its opener, which then announces it.
    const top = stack.at(-1);
    if (top !== undefined && waiting.has(top)) settle(top);
  });

  const opened = new Promise<ReturnType<typeof unwrap>>(resolve => {
    ap.dialog.getCustomData(data => resolve(unwrap(data)));
  });
  void opened.then(dialog => {
    if (typeof dialog?.dialogId === 'string') ap.events.emit(SHOWN_EVENT, dialog.dialogId);
  });

  return {
    open: (name, data, missing) =>
      new Promise((resolve, reject) => {
        const dialogId = crypto.randomUUID();
        mine.add(dialogId);
        waiting.set(dialogId, resolve);
        stack = [...stack, dialogId];
        ap.events.emit(OPENED_EVENT, dialogId);
        expectDialog(new Promise(loaded => loading.set(dialogId, loaded)), missing);
        const { key, closeOnEscape } = dialogs[name];
        try {
          ap.dialog.create({
            key,
            size: 'maximum',
            chrome: false,
            closeOnEscape,
            customData: envelope({ dialogId, data }),
          });
        } catch (error) {
          reject(error);
          settle(dialogId);
        }
      }),
    close: result => {
      void opened.then(dialog => {
        const dialogId = dialog?.dialogId ?? '';
        ap.dialog.close(envelope(result === undefined ? { dialogId } : { dialogId, result }));
      });
    },
    data: () => opened.then(dialog => dialog?.data),
  };
}
