import * as v from 'valibot';
import { edition } from '../../domain/edition.ts';
import { readAs } from '../../domain/shape.ts';
import { type LiveEvent, readEvent } from './events.ts';
import type { Watched } from './stream.ts';

const ids = v.array(v.string());
const watchedShape = v.object({ issues: ids, editing: ids, assigned: v.boolean() });
const shape = v.variant('type', [
  /** The subjects that a frame subscribes to; none when it closes. */
  v.object({ type: v.literal('want'), frame: v.string(), wish: watchedShape }),
  /** Sent by the leader: asks all frames for their subscriptions. */
  v.object({ type: v.literal('ask') }),
  v.object({ type: v.literal('state'), connected: v.boolean() }),
  v.object({ type: v.literal('event'), event: v.unknown() }),
]);

/** Messages between frames. */
export type Message = Exclude<v.InferOutput<typeof shape>, { type: 'event' }> | { type: 'event'; event: LiveEvent };

export interface ChannelEvents {
  /** Called when this frame becomes the leader; `follow`, when it stops being the leader. */
  lead(): void;
  follow(): void;
  receive(message: Message): void;
}

/** The channel between our frames of one account in the browser. One of the joined frames leads. */
export interface Channel {
  join(): void;
  leave(): void;
  leads(): boolean;
  post(message: Message): void;
  /** Sends this frame's subscriptions. */
  want(watched: Watched): void;
}

function readMessage(data: unknown): Message | undefined {
  const message = readAs(shape, data);
  if (message?.type !== 'event') return message;
  const event = readEvent(message.event);
  return event && { type: 'event', event };
}

/** Creates the channel. Without BroadcastChannel or locks each frame leads. */
export function createChannel(owner: readonly string[], events: ChannelEvents): Channel {
  const name = [`${edition.key}.live`, ...owner].map(encodeURIComponent).join('/');
  const frame = crypto.randomUUID();
  let joined: AbortController | undefined;
  let leading = false;
  let channel: BroadcastChannel | undefined;

  const open = () => {
    try {
      channel ??= new BroadcastChannel(name);
      channel.onmessage = ({ data }) => {
        const message = readMessage(data);
        if (message) events.receive(message);
      };
    } catch {
      // Unavailable: this frame is the only one.
    }
  };
  const lead = () => {
    leading = true;
    events.lead();
  };

  const join = () => {
    if (joined) return;
    const leaving = new AbortController();
    joined = leaving;
    open();
    const ended = new Promise<void>(resolve => leaving.signal.addEventListener('abort', () => resolve()));
    const locks: LockManager | undefined = channel && navigator.locks;
    if (!locks) return lead();
    locks
      .request(name, { signal: leaving.signal }, () => {
        if (leaving.signal.aborted) return undefined;
        lead();
        return ended;
      })
      // Aborted before the lock was granted, or locks are denied.
      .catch(() => leaving.signal.aborted || lead());
  };

  return {
    join,
    leave: () => {
      joined?.abort();
      joined = undefined;
      if (leading) {
        leading = false;
        events.follow();
      }
    },
    leads: () => leading,
    post: message => channel?.postMessage(message),
    want: watched => channel?.postMessage({ type: 'want', frame, wish: watched } satisfies Message),
  };
}
