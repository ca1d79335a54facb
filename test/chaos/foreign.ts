import { type Random, random } from '../../bench/random.ts';
import { FIELD_NAME, parseChecklistProperty } from '../../src/domain/storage.ts';
import { applyChanges } from '../../src/text/document.ts';
import { deleteRow, insertRows, setStatus } from '../../src/text/edits.ts';
import { readChecklist } from '../../src/text/read.ts';
import { type Entry, isRecord, type Storage, textOfProperty } from './journal.ts';
import { FIELD_MARK, isForeign, numberOf, PROPERTY_MARK, type RowState, rowsOf, sameRow } from './rows.ts';
import { ADDON_KEY, type ChaosSite, cookieOf, pause } from './site.ts';

/** A foreign write of one row that no client changes alone. */
export interface ForeignWrite {
  issue: string;
  storage: Storage;
  number: string;
  /** The row's state from then on. */
  row: RowState | undefined;
  /** The copy's text before and after. */
  before: string;
  text: string;
  /** When it took effect, in milliseconds since the epoch. */
  time: number;
}

export interface Foreigner {
  work(isOver: () => boolean): Promise<void>;
  /** Writes once; does nothing where the field is off the screen. */
  write(issue: string, storage: Storage): Promise<void>;
  writes: readonly ForeignWrite[];
  /**
   * Rows, by issue, that a property text without a stamp may have overwritten: it was based on another text than the
   * known one, which is indistinguishable from the author's intention.
   */
  ranOver: ReadonlyMap<string, ReadonlySet<string>>;
}

interface Options {
  site: ChaosSite;
  account: string;
  issues: readonly string[];
  storages: readonly Storage[];
  seed: number;
  /** Whether the field is off the screen. */
  isOff(): boolean;
}

interface Opened {
  text: string;
  isStamped: boolean;
  put(text: string): Promise<unknown>;
}

/** A foreign writer: edits the property by a program and the field on the issue's screen. */
export function createForeigner({ site, account, issues, storages, seed, isOff }: Options): Foreigner {
  const r = random(seed);
  const writes: ForeignWrite[] = [];
  const ranOver = new Map<string, Set<string>>();
  const { app } = site.tracker;
  let rows = 0;
  let fieldId: string | undefined;

  /** The answer's body; `undefined` where the tracker refuses, since the field is off the screen. */
  async function call(method: 'GET' | 'PUT', url: string, payload?: string): Promise<unknown> {
    const headers = { ...cookieOf(account), ...(payload !== undefined && { 'content-type': 'application/json' }) };
    const answer = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
    if (answer.statusCode === 400 && answer.body.includes('not on the appropriate screen')) return undefined;
    if (answer.statusCode >= 300) throw new Error(`The tracker answered ${answer.statusCode} to ${method} ${url}.`);
    return answer.body ? answer.json() : {};
  }

  /** A copy's text, and how to replace it; with its stamp or without. */
  async function open(issue: string, storage: Storage): Promise<Opened> {
    const path = `/rest/api/2/issue/${issue}`;
    const key = `${ADDON_KEY}.checklist`;
    const read = (await call('GET', `${path}?properties=${key}&expand=names`)) as {
      properties: Record<string, unknown>;
      names: Record<string, string>;
      fields: Record<string, unknown>;
    };
    if (storage === 'field') {
      fieldId ??= Object.keys(read.names).find(id => read.names[id] === FIELD_NAME) ?? '';
      const id = fieldId;
      const value = read.fields[id];
      const put = (text: string) => call('PUT', path, JSON.stringify({ fields: { [id]: text } }));
      return { text: typeof value === 'string' ? value : '', isStamped: true, put };
    }
    const value = read.properties[key];
    const text = textOfProperty(value);
    // Most programs keep the value's shape, others write a text only.
    const isStamped = parseChecklistProperty(value).kind === 'ours' && r.int(12) > 0;
    const shape = (text: string) => (isStamped && isRecord(value) ? { ...value, text } : text);
    return { text, isStamped, put: text => call('PUT', `${path}/properties/${key}`, JSON.stringify(shape(text))) };
  }

  async function write(issue: string, storage: Storage): Promise<void> {
    const mark = storage === 'property' ? PROPERTY_MARK : FIELD_MARK;
    if (storage === 'field' && isOff()) return;
    const { text, isStamped, put } = await open(issue, storage);
    const { number, edited } = edit(text, mark, r, () => `Row ${mark}${String(++rows).padStart(5, '0')} foreign`);
    if (edited.trim() === '') return;
    // The field may have gone off the screen meanwhile.
    if (!(await put(edited))) return;
    const time = Date.now();
    writes.push({ issue, storage, number, row: rowsOf(edited).get(number), before: text, text: edited, time });
    if (isStamped) return;
    const run = ranOver.get(issue) ?? new Set();
    ranOver.set(issue, run);
    const theirs = rowsOf(text);
    for (const other of textsBefore(site.journal.of(issue), time)) {
      const mine = rowsOf(other);
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

/** Milliseconds during which the known text of the property is ambiguous. */
const OPEN = 30_000;

/** The texts that the property had, or may have had, before that time. */
const textsBefore = (entries: readonly Entry[], time: number): string[] =>
  entries.flatMap(entry => {
    if (entry.served <= time - OPEN || entry.served > time) return [];
    return entry.did === 'swap' || (entry.did === 'write' && entry.storage === 'property') ? entry.text : [];
  });

/** A text with one of the writer's own rows changed, or a new one. */
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
