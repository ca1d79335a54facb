import { AsyncResource } from 'node:async_hooks';
import * as z from 'zod';
import { readJson } from '../../domain/json.ts';
import type { Store } from '../store/store.ts';
import { CHANNEL, type LiveEvent, liveEvent } from './announce.ts';

/** An event, or that some may have been missed. */
export type Heard = LiveEvent | { kind: 'gap' };

/** The events of all tenants in this process, given to who asked for one tenant's. */
export interface Hub {
  /** Hears until the returned function is called. */
  subscribe(tenant: string, hear: (heard: Heard) => void): () => void;
  close(): Promise<void>;
}

const envelope = z.object({ tenant: z.string() });

/** Begins to listen. What is told on the channel and is not ours to understand is passed over: another version may run beside us. */
export async function createHub(store: Store): Promise<Hub> {
  const listeners = new Map<string, Set<(heard: Heard) => void>>();
  const close = await store.listen(
    CHANNEL,
    // The embedded database tells inside the transaction that announces, where those who hear may begin none of their own.
    AsyncResource.bind((payload: string) => {
      const value = readJson(payload);
      const [to, event] = [envelope.safeParse(value), liveEvent.safeParse(value)];
      if (!to.success || !event.success) return;
      for (const hear of [...(listeners.get(to.data.tenant) ?? [])]) hear(event.data);
    }),
    () => {
      for (const hear of [...listeners.values()].flatMap(each => [...each])) hear({ kind: 'gap' });
    },
  );
  return {
    subscribe(tenant, hear) {
      const heard = listeners.get(tenant) ?? new Set();
      listeners.set(tenant, heard.add(hear));
      return () => {
        heard.delete(hear);
        if (heard.size === 0 && listeners.get(tenant) === heard) listeners.delete(tenant);
      };
    },
    close,
  };
}
