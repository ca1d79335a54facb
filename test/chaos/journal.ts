import type { Served } from '../../src/tracker/rest/observe.ts';
import type { TrackerEvent } from '../../src/tracker/webhooks.ts';

/** The tracker's copies of a checklist. */
export type Storage = 'property' | 'field';

/** An event of an issue, in the order of taking effect. Times are milliseconds since the epoch. */
export type Entry =
  /** A write; an own write with its revision. */
  | { did: 'write'; by: 'addon' | 'people'; storage: Storage; text: string; arrived: number; served: number }
  /** A compare-and-set of the property by the app, which overwrites nothing unread. */
  | { did: 'swap'; text: string; served: number }
  /** The app read the issue to find foreign changes; `isLost` where the answer was cut. */
  | { did: 'read'; served: number; isLost?: boolean }
  /** The app received the event of a foreign property write. */
  | { did: 'notified'; served: number };

export interface Journal {
  note(served: Served): void;
  /** Records an event delivered to the add-on. */
  noteDelivered(trackerEvent: TrackerEvent): void;
  of(issue: string): readonly Entry[];
  /** Resolves when the add-on writes a copy, before its answer. */
  nextWrite(): Promise<void>;
}

const address = /^\/rest\/api\/\w+\/issue\/(\d+)(?:\/properties\/([^/?]+))?(\?.*)?$/;
const bulk = /^\/rest\/api\/\w+\/issue\/properties\/([^/?]+)$/;

/** The text of a checklist's property, in each of its shapes. */
export const textOfProperty = (value: unknown): string =>
  typeof value === 'string' ? value : isRecord(value) && typeof value.text === 'string' ? value.text : '';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The issues that a bulk update names. */
function named(body: unknown): string[] {
  const filter = isRecord(body) ? body.filter : undefined;
  const ids = isRecord(filter) ? filter.entityIds : undefined;
  return Array.isArray(ids) ? ids.map(String) : [];
}

export function createJournal(propertyKey: string): Journal {
  const issues = new Map<string, Entry[]>();
  let waiting: (() => void)[] = [];

  function add(issue: string, entry: Entry): void {
    const entries = issues.get(issue);
    if (entries) entries.push(entry);
    else issues.set(issue, [entry]);
    if (entry.did !== 'swap' && !(entry.did === 'write' && entry.by === 'addon')) return;
    for (const notify of waiting) notify();
    waiting = [];
  }

  function note({ method, url, by, status, body, answered, ...times }: Served): void {
    const [arrived, served] = [times.arrived, times.served].map(time => performance.timeOrigin + time) as [
      number,
      number,
    ];
    const [, bulkKey] = bulk.exec(url) ?? [];
    if (bulkKey && decodeURIComponent(bulkKey) === propertyKey && method === 'PUT') {
      for (const issue of named(body))
        add(issue, { did: 'swap', text: textOfProperty(isRecord(body) ? body.value : undefined), served });
      return;
    }
    const [, issue, key, query = ''] = address.exec(url) ?? [];
    if (issue === undefined || status >= 300) return;
    if (method === 'GET') {
      const isSync = by === 'addon' && query.includes('properties=') && query.includes('changelog');
      if (!isSync) return;
      const entry: Entry = { did: 'read', served };
      add(issue, entry);
      void answered.then(isAnswered => {
        if (!isAnswered) entry.isLost = true;
      });
    } else if (method === 'PUT' && key !== undefined) {
      if (decodeURIComponent(key) !== propertyKey) return;
      add(issue, { did: 'write', by, storage: 'property', text: textOfProperty(body), arrived, served });
    } else if (method === 'PUT' && isRecord(body) && isRecord(body.fields)) {
      const text = Object.entries(body.fields).find(([id]) => id.startsWith('customfield_'))?.[1];
      if (typeof text === 'string') add(issue, { did: 'write', by, storage: 'field', text, arrived, served });
    }
  }

  return {
    note,
    noteDelivered({ event, issue, actor, body }) {
      const isOfProperty = isRecord(body.property) && body.property.key === propertyKey;
      if (event !== 'issue_property_set' || !isOfProperty || actor.startsWith('addon:')) return;
      add(issue.id, { did: 'notified', served: Date.now() });
    },
    nextWrite: () => new Promise(resolve => waiting.push(resolve)),
    of: issue => issues.get(issue) ?? [],
  };
}
