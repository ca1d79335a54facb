import { type Random, random } from '../../bench/random.ts';
import { parseChecklistProperty } from '../../src/domain/storage.ts';
import { applyChanges } from '../../src/text/document.ts';
import { deleteRow, insertRows, setStatus } from '../../src/text/edits.ts';
import { readChecklist } from '../../src/text/read.ts';
import type { Entry, Storage } from './journal.ts';
import { isForeign, numberOf, type RowState, rowsOf, sameRow } from './rows.ts';
import { ADDON_KEY, type ChaosSite, cookieOf, pause } from './site.ts';

/** A write behind the add-on's back, of one row that nobody else touches. */
export interface ForeignWrite {
  issue: string;
  storage: Storage;
  number: string;
  /** What the row is from then on. */
  row: RowState | undefined;
  /** Its place in the issue's journal. */
  at: number;
}

export interface Foreigner {
  work(isOver: () => boolean): Promise<void>;
  /** One write now; none where the field is off the screen. */
  write(issue: string, storage: Storage): Promise<void>;
  writes: readonly ForeignWrite[];
  /**
   * Rows that a write of an older text ran over, by issue: between its reading and writing we wrote, or what was read
   * was an older text of ours that had arrived late. Nobody can tell that from a person's own will.
   */
  ranOver: ReadonlyMap<string, Set<string>>;
}

interface Options {
  site: ChaosSite;
  account: string;
  issues: readonly string[];
  storages: readonly Storage[];
  seed: number;
  /** Whether the field is off the screen now. */
  isOff(): boolean;
}

/** Somebody who edits the property by a program and the field on the issue's screen. */
export function createForeigner({ site, account, issues, storages, seed, isOff }: Options): Foreigner {
  const r = random(seed);
  const writes: ForeignWrite[] = [];
  const ranOver = new Map<string, Set<string>>();
  const { app } = site.tracker;
  let rows = 0;
  let fieldId: string | undefined;

  /** The answer's body; nothing where the tracker refuses, since the field is off the screen. */
  async function call(method: 'GET' | 'PUT', url: string, payload?: string): Promise<unknown> {
    const headers = { ...cookieOf(account), ...(payload !== undefined && { 'content-type': 'application/json' }) };
    const answer = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
    if (answer.statusCode === 400 && answer.body.includes('not on the appropriate screen')) return undefined;
    if (answer.statusCode >= 300) throw new Error(`The tracker answered ${answer.statusCode} to ${method} ${url}.`);
    return answer.body ? answer.json() : {};
  }

  /** What stands in a storage, and how a text is put in its place. */
  async function open(issue: string, storage: Storage): Promise<{ text: string; put(text: string): Promise<unknown> }> {
    const path = `/rest/api/2/issue/${issue}`;
    const key = `${ADDON_KEY}.checklist`;
    const read = (await call('GET', `${path}?properties=${key}&expand=names`)) as {
      properties: Record<string, unknown>;
      names: Record<string, string>;
      fields: Record<string, unknown>;
    };
    if (storage === 'field') {
      fieldId ??= Object.keys(read.names).find(id => read.names[id] === 'Checklist Text') ?? '';
      const id = fieldId;
      const value = read.fields[id];
      const put = (text: string) => call('PUT', path, JSON.stringify({ fields: { [id]: text } }));
      return { text: typeof value === 'string' ? value : '', put };
    }
    const value = read.properties[key];
    const parsed = parseChecklistProperty(value);
    const text = 'text' in parsed ? parsed.text : '';
    // Some programs keep the shape, others know of a text only.
    const shape = (text: string) =>
      parsed.kind === 'ours' && typeof value === 'object' && r.int(3) > 0 ? { ...value, text } : text;
    return { text, put: text => call('PUT', `${path}/properties/${key}`, JSON.stringify(shape(text))) };
  }

  async function write(issue: string, storage: Storage): Promise<void> {
    const mark = storage === 'property' ? '91' : '92';
    if (storage === 'field' && isOff()) return;
    const before = site.journal.of(issue).length;
    const { text, put } = await open(issue, storage);
    const { number, edited } = edit(text, mark, r, () => `Row ${mark}${String(++rows).padStart(5, '0')} foreign`);
    if (edited.trim() === '') return;
    // It may have gone off the screen between.
    if (!(await put(edited))) return;
    const entries = site.journal.of(issue);
    const at = entries.findLastIndex(entry => entry.by === 'people' && entry.did === 'write');
    writes.push({ issue, storage, number, row: rowsOf(edited).get(number), at });
    const between = [...entries.slice(before, at), ...overtakers(entries.slice(0, before), storage)].filter(entry =>
      wrote(entry, storage),
    );
    const run = ranOver.get(issue) ?? new Set();
    ranOver.set(issue, run);
    for (const { text: ours } of between) {
      const [mine, theirs] = [rowsOf(ours), rowsOf(text)];
      for (const each of [...mine.keys(), ...theirs.keys()])
        if (!sameRow(mine.get(each), theirs.get(each))) run.add(each);
    }
  }

  return {
    write,
    writes,
    ranOver,
    async work(isOver) {
      while (!isOver()) {
        await pause(100 + r.int(500));
        await write(r.pick(issues), r.pick(storages));
      }
    },
  };
}

type Write = Entry & { did: 'write' };

const wrote = (entry: Entry, storage: Storage): entry is Write =>
  entry.by === 'addon' && entry.did === 'write' && entry.storage === storage;

/** The newer write of ours that a late one, which stands there now, has overwritten. */
function overtakers(entries: readonly Entry[], storage: Storage): Write[] {
  const writes = entries.filter((entry): entry is Write => entry.did === 'write' && entry.storage === storage);
  const last = writes.at(-1);
  if (last?.by !== 'addon') return [];
  const newest = writes.reduce((a, b) => (b.by === 'addon' && b.arrived > a.arrived ? b : a), last);
  return newest === last ? [] : [newest];
}

/** A text with one of the foreigner's own rows changed, or with a new one. */
function edit(text: string, mark: string, r: Random, fresh: () => string): { number: string; edited: string } {
  const checklist = readChecklist(text);
  const own = checklist.rows.flatMap((row, index) => {
    const number = numberOf(row.text);
    return row.kind === 'checkbox' && number?.startsWith(mark) && isForeign(number) ? [{ number, row, index }] : [];
  });
  const chosen = own.length > 0 ? r.pick(own) : undefined;
  if (!chosen || (own.length < 8 && r.int(2) === 0)) {
    const row = fresh();
    const edited = applyChanges(text, insertRows(checklist, r.int(checklist.rows.length + 1), `- ${row}`));
    return { number: numberOf(row) ?? '', edited };
  }
  const { number, row, index } = chosen;
  const target = { index, text: row.text };
  const status = row.status.slug === 'done' ? 'todo' : 'done';
  const changes = r.int(3) === 0 ? deleteRow(checklist, target) : setStatus(checklist, target, status);
  return { number, edited: applyChanges(text, changes) };
}
