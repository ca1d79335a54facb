import type { Served } from '../../src/tracker/rest/observe.ts';

/** Where a checklist is kept. */
export type Storage = 'property' | 'field';

/** What the tracker did with one issue, in the order in which it took effect. */
export type Entry = {
  by: 'addon' | 'people';
  /** Milliseconds of the clock. */
  arrived: number;
  served: number;
  /** What the add-on called for, and which of its processes (readers.mjs). */
  reader: string;
  process: string;
} & ({ did: 'read' } | { did: 'write'; storage: Storage; text: string; seq?: number });

export interface Journal {
  note(served: Served): void;
  of(issue: string): readonly Entry[];
  /** Resolves in the moment in which the add-on writes a property, before it hears of that. */
  nextWrite(): Promise<void>;
  /** What was written there last. */
  text(issue: string, storage: Storage): string | undefined;
}

const address = /^\/rest\/api\/\w+\/issue\/(\d+)(?:\/properties\/([^/?]+))?(?:\?|$)/;

/** The text of a property of ours, whoever wrote it. */
export const textOfProperty = (value: unknown): string =>
  typeof value === 'string' ? value : isRecord(value) && typeof value.text === 'string' ? value.text : '';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

export function createJournal(propertyKey: string): Journal {
  const issues = new Map<string, Entry[]>();
  let fieldId: string | undefined;
  let waiting: (() => void)[] = [];

  function note({ method, url, by, headers, arrived, served, status, body }: Served): void {
    const [, issue, key] = address.exec(url) ?? [];
    if (issue === undefined || status >= 300) return;
    const entries = issues.get(issue) ?? [];
    issues.set(issue, entries);
    const [reader = '', process = ''] = String(headers['x-chaos-from'] ?? '').split(' ');
    const common = { by, arrived, served, reader, process };
    const about = key === undefined ? undefined : decodeURIComponent(key);
    if (about !== undefined && about !== propertyKey) return;
    if (method === 'GET') entries.push({ ...common, did: 'read' });
    if (method !== 'PUT') return;
    if (about) {
      const seq = isRecord(body) && typeof body.seq === 'number' ? { seq: body.seq } : {};
      entries.push({ ...common, did: 'write', storage: 'property', text: textOfProperty(body), ...seq });
      if (by === 'people') return;
      for (const tell of waiting) tell();
      waiting = [];
    } else if (isRecord(body) && isRecord(body.fields)) {
      fieldId ??= Object.keys(body.fields).find(id => id.startsWith('customfield_'));
      const text = fieldId === undefined ? undefined : body.fields[fieldId];
      if (typeof text === 'string') entries.push({ ...common, did: 'write', storage: 'field', text });
    }
  }

  return {
    note,
    nextWrite: () => new Promise(resolve => waiting.push(resolve)),
    of: issue => issues.get(issue) ?? [],
    text: (issue, storage) =>
      (issues.get(issue) ?? []).findLast(
        (entry): entry is Entry & { did: 'write' } => entry.did === 'write' && entry.storage === storage,
      )?.text,
  };
}
