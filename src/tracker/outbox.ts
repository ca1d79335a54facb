import type { HostOutbox, OutboxNotification, OutboxWebhook } from './wire/outbox.ts';

type Entry<T> = Omit<T, 'id' | 'time'>;

/** Messages that apps sent to people and to the receiver of this tracker. They are lost at a restart. */
export interface Outbox {
  add(entry: Entry<OutboxNotification> | Entry<OutboxWebhook>): void;
  view(): HostOutbox;
  clear(): void;
  /** The receiver's secret, empty without one, and the status that it answers. */
  settings: { secret: string; status: number };
}

const MAX_ENTRIES = 200;

export function createOutbox(): Outbox {
  const entries: HostOutbox['entries'] = [];
  let last = 0;
  const settings = { secret: '', status: 204 };
  return {
    settings,
    add(entry) {
      last += 1;
      entries.unshift({ ...entry, id: String(last), time: new Date().toISOString() });
      entries.splice(MAX_ENTRIES);
    },
    view: () => ({ entries: [...entries], hasSecret: settings.secret !== '', status: settings.status }),
    clear: () => void entries.splice(0),
  };
}
