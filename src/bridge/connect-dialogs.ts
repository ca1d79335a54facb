import * as z from 'zod/mini';
import { type DialogName, dialogs } from '../domain/pages.ts';
import type { Ap, ApEnvelope } from './ap.ts';
import type { Json } from './bridge.ts';

/** Sent among our own frames, since `dialog.close` goes to all of them and says nothing after Escape. */
const OPENED = 'checklist-dialog-opened';
const CLOSED = 'checklist-dialog-closed';

const envelopeShape = z.object({ json: z.string() });
const openedShape = z.object({ dialogId: z.string(), data: z.json() });
const closedShape = z.object({ dialogId: z.string(), result: z.optional(z.json()) });

const envelope = (value: Json): ApEnvelope => ({ json: JSON.stringify(value) });

/** Reads what an envelope of ours holds; `undefined` for anything else. */
function unwrap<T>(shape: z.ZodMiniType<T>, value: unknown): T | undefined {
  const outer = envelopeShape.safeParse(value);
  if (!outer.success) return undefined;
  try {
    return shape.safeParse(JSON.parse(outer.data.json)).data;
  } catch {
    return undefined;
  }
}

export interface ConnectDialogs {
  open(name: DialogName, data: Json): Promise<Json | undefined>;
  close(result: Json | undefined): void;
  /** What this frame was handed when it is a dialog of ours. */
  data(): Promise<Json | undefined>;
}

/**
 * Dialogs by id. Every frame keeps the stack of dialogs that are open on the page: a close that bears an id closes
 * that dialog and whatever stands above it, a close without one (Escape) closes the topmost.
 */
export function connectDialogs(ap: Ap): ConnectDialogs {
  let stack: readonly string[] = [];
  const waiting = new Map<string, (result: Json | undefined) => void>();
  // Our own announcement comes back to us, perhaps after the dialog has been closed.
  const mine = new Set<string>();

  const settle = (id: string, result?: Json) => {
    const at = stack.indexOf(id);
    if (at >= 0) stack = stack.slice(0, at);
    const resolve = waiting.get(id);
    if (!resolve) return;
    waiting.delete(id);
    resolve(result);
    ap.events.emit(CLOSED, id);
  };

  ap.events.on(OPENED, id => {
    if (typeof id === 'string' && !mine.has(id)) stack = [...stack, id];
  });
  ap.events.on(CLOSED, id => {
    if (typeof id === 'string') settle(id);
  });
  ap.events.on('dialog.close', payload => {
    const closed = unwrap(closedShape, payload);
    if (closed) settle(closed.dialogId, closed.result);
    if (payload !== undefined && payload !== null) return;
    // Somebody else's topmost dialog is settled by its opener, who then says so.
    const top = stack.at(-1);
    if (top !== undefined && waiting.has(top)) settle(top);
  });

  const opened = new Promise<z.infer<typeof openedShape> | undefined>(resolve => {
    ap.dialog.getCustomData(data => resolve(unwrap(openedShape, data)));
  });

  return {
    open: (name, data) =>
      new Promise(resolve => {
        const dialogId = crypto.randomUUID();
        mine.add(dialogId);
        waiting.set(dialogId, resolve);
        stack = [...stack, dialogId];
        ap.events.emit(OPENED, dialogId);
        const { key, closeOnEscape } = dialogs[name];
        ap.dialog.create({
          key,
          size: 'maximum',
          chrome: false,
          closeOnEscape,
          customData: envelope({ dialogId, data }),
        });
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
