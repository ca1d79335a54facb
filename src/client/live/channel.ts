import * as v from 'valibot';
import { edition } from '../../domain/edition.ts';
import { readAs } from '../../domain/shape.ts';
import { type LiveEvent, readEvent } from './events.ts';
import type { Watched } from './stream.ts';

const ids = v.array(v.string());
/** A frame of another version may say less. */
const wish = v.object({ issues: ids, editing: ids, assigned: v.optional(v.boolean(), false) });
const shape = v.variant('type', [
  /** What a frame wants to hear of; nothing, when it goes. */
  v.object({ type: v.literal('want'), frame: v.string(), wish }),
  /** The leader asks everybody for that. */
  v.object({ type: v.literal('ask') }),
  v.object({ type: v.literal('state'), connected: v.boolean() }),
  v.object({ type: v.literal('event'), event: v.unknown() }),
]);

/** What frames tell each other. */
export type Message = Exclude<v.InferOutput<typeof shape>, { type: 'event' }> | { type: 'event'; event: LiveEvent };

export interface ChannelEvents {
  /** This frame leads from now on, and not any more. */
  lead(): void;
  follow(): void;
  hear(message: Message): void;
}

/** Our frames of one account in the browser. Of those who joined one leads. */
export interface Channel {
  join(): void;
  leave(): void;
  leads(): boolean;
  say(message: Message): void;
  /** Tells what this frame wants. */
  want(wish: Watched): void;
}

function readMessage(data: unknown): Message | undefined {
  const message = readAs(shape, data);
  if (message?.type !== 'event') return message;
  const event = readEvent(message.event);
  return event && { type: 'event', event };
}

/** Browsers that know neither channels nor locks, or refuse them to frames: then each frame leads itself. */
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
        if (message) events.hear(message);
      };
    } catch {
      // This frame is the only one.
    }
  };
  const lead = () => {
    leading = true;
    events.lead();
  };

  const join = () => {
    if (joined) return;
    const left = new AbortController();
    joined = left;
    open();
    const ended = new Promise<void>(resolve => left.signal.addEventListener('abort', () => resolve()));
    const locks: LockManager | undefined = channel && navigator.locks;
    if (!locks) return lead();
    locks
      .request(name, { signal: left.signal }, () => {
        if (left.signal.aborted) return undefined;
        lead();
        return ended;
      })
      // Left before its turn, or locks are refused here.
      .catch(() => left.signal.aborted || lead());
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
    say: message => channel?.postMessage(message),
    want: wish => channel?.postMessage({ type: 'want', frame, wish } satisfies Message),
  };
}
