import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import * as v from 'valibot';
import { edition } from '../../src/domain/edition.ts';
import { numberText } from '../../src/domain/shape.ts';
import { FIELD_NAME, storageKey } from '../../src/domain/storage.ts';
import { createTracker, type Tracker, type TrackerSite } from '../../src/tracker/app.ts';
import { siteAdmin } from '../../src/tracker/site/people.ts';
import { addonServer, onPostgres, type Program } from '../browser/programs.ts';
import { copyEmptyDatabase } from '../run/embedded.ts';
import { freePort } from '../run/free-port.ts';
import { createDatabase } from '../server/support/postgres.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { createJournal, type Journal, textOfProperty } from './journal.ts';

export type StoreKind = 'embedded' | 'postgres';

/** The tracker in this process, the built add-on in processes of its own, on one database. */
export interface ChaosSite {
  tracker: Tracker;
  trackerUrl: string;
  journal: Journal;
  /** The add-on's processes; each can be killed and started again. */
  addons: readonly Program[];
  /** The tracker's copies of an issue's checklist. */
  copies(issue: string): Promise<{ property: string; field: string }>;
  /** Changes of the checklist's field in the issue's changelog now or at an earlier call, oldest first. */
  fieldChanges(issue: string): Promise<FieldChange[]>;
  /** Stops the add-on and reads an issue's history from its database, oldest first. */
  history(issue: string): Promise<Revision[]>;
  stop(): Promise<void>;
}

export interface Revision {
  epoch: string;
  seq: number;
  text: string;
  account: string;
  client: string;
  kind: string;
  conflicts: readonly { row: string; attribute: string }[];
  created: Date;
}

export interface FieldChange {
  /** The changelog's id of the entry: milliseconds since the epoch, or a little more. */
  id: number;
  author: string;
  from: string;
  to: string;
}

const dist = join(import.meta.dirname, '../../dist');
const PROPERTY = storageKey('checklist');

const stored = v.object({
  fields: v.record(v.string(), v.unknown()),
  names: v.record(v.string(), v.string()),
  properties: v.optional(v.record(v.string(), v.unknown()), {}),
});

const item = v.object({
  field: v.string(),
  fromString: v.optional(v.nullable(v.string()), null),
  toString: v.optional(v.nullable(v.string()), null),
});
const changelog = v.object({
  total: v.number(),
  values: v.array(
    v.object({
      id: numberText,
      author: v.object({ accountId: v.string() }),
      items: v.array(item),
    }),
  ),
});

export interface SiteOptions {
  store: StoreKind;
  /** Address of a PostgreSQL server as its superuser, without a database; for that store. */
  postgres: string | undefined;
  /** Number of processes of the add-on. The embedded database takes one. */
  processes: number;
}

export async function startSite({ store, postgres, processes }: SiteOptions): Promise<ChaosSite> {
  const data = await mkdtemp(join(tmpdir(), 'checklist-chaos-'));
  if (store === 'postgres' && !postgres) throw new Error('No PostgreSQL server.');
  const database = store === 'postgres' && postgres ? await createDatabase(postgres) : undefined;
  const [trackerPort, publicPort, ...ports] = await freePorts(2 + (store === 'postgres' ? processes : 1));
  const trackerUrl = `http://localhost:${trackerPort}`;
  const addonUrl = `http://127.0.0.1:${publicPort}`;
  const journal = createJournal(PROPERTY);

  const addons = ports.map(port =>
    addonServer({
      ...{ port, trackerUrl, data: join(data, 'addon') },
      env: {
        BASE_URL: addonUrl,
        ...(database && onPostgres(database)),
        LOG_LEVEL: 'warn',
      },
    }),
  );
  const tracker = await createTracker({
    port: trackerPort ?? 0,
    data: undefined,
    addonUrls: [addonUrl],
    pageDir: join(dist, 'tracker/page'),
    logLevel: 'silent',
    onServed: journal.note,
    onDelivered: journal.noteDelivered,
  });
  const fieldChanges = new Map<string, Map<number, FieldChange>>();
  let balancer: Balancer | undefined;
  const endAddons = (signal: NodeJS.Signals) => Promise.all(addons.map(addon => addon.kill(signal)));
  const stop = async () => {
    await endAddons('SIGKILL');
    await balancer?.close();
    tracker.app.server.closeAllConnections();
    await tracker.app.close();
    await rm(data, { recursive: true, force: true });
  };
  try {
    if (!database) await copyEmptyDatabase(join(data, 'addon', 'pg'));
    balancer = await startBalancer(publicPort ?? 0, ports);
    await Promise.all(addons.map(addon => addon.start()));
    await tracker.app.listen({ host: '127.0.0.1', port: trackerPort ?? 0 });
    await until(() => tracker.addon.state().state === 'installed', 60_000, 'The add-on was not installed.');
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    copies: issue => copiesOf(tracker, issue),
    async fieldChanges(issue) {
      const seen = fieldChanges.get(issue) ?? new Map<number, FieldChange>();
      fieldChanges.set(issue, seen);
      for (let [start, total] = [0, 1]; start < total; ) {
        const page = v.parse(changelog, await ask(tracker, `/rest/api/3/issue/${issue}/changelog?startAt=${start}`));
        for (const { id, author, items } of page.values) {
          const change = items.find(({ field }) => field === FIELD_NAME);
          if (!change) continue;
          const { fromString: from, toString: to } = change;
          seen.set(id, { id, author: author.accountId, from: from ?? '', to: to ?? '' });
        }
        start += page.values.length;
        total = page.values.length === 0 ? 0 : page.total;
      }
      return [...seen.values()].sort((a, b) => a.id - b.id);
    },
    tracker,
    trackerUrl,
    journal,
    addons,
    async history(issue) {
      await endAddons('SIGTERM');
      const sql =
        'select epoch, seq, text, account, client, kind, conflicts, created from revision where issue = $1 order by created, seq';
      if (database) return askPostgres(database, client => client.query<Revision>(sql, [issue]));
      const pglite = await PGlite.create(join(data, 'addon', 'pg'));
      const { rows } = await pglite.query<Revision>(sql, [issue]);
      await pglite.close();
      return rows;
    },
    stop,
  };
}

const ask = async ({ app }: TrackerSite, url: string): Promise<unknown> =>
  (await app.inject({ url, headers: cookieOf(siteAdmin.accountId) })).json();

/** A site's copies of an issue's checklist. */
export async function copiesOf(site: TrackerSite, issue: string): Promise<{ property: string; field: string }> {
  const url = `/rest/api/2/issue/${issue}?properties=${PROPERTY}&expand=names`;
  const { fields, names, properties } = v.parse(stored, await ask(site, url));
  const own = Object.keys(names).filter(id => names[id] === FIELD_NAME);
  const field = own.map(id => fields[id]).find(value => typeof value === 'string');
  return { property: textOfProperty(properties[PROPERTY]), field: String(field ?? '') };
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

async function askPostgres<T>(url: string, work: (client: pg.Client) => Promise<{ rows: T[] }>): Promise<T[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await work(client);
  await client.end();
  return rows;
}

/** Resolves when the condition holds; rejects after so many milliseconds. */
export async function until(isSo: () => boolean | Promise<boolean>, time: number, otherwise: string): Promise<void> {
  for (const end = Date.now() + time; Date.now() < end; await pause(50)) if (await isSo()) return;
  throw new Error(otherwise);
}

export const pause = (time: number) => new Promise<void>(resolve => setTimeout(resolve, time));

/** The cookie by which the tracker identifies a user. */
export const cookieOf = (account: string) => ({ cookie: `tracker.account=${encodeURIComponent(account)}` });

export const ADDON_KEY = edition.key;
