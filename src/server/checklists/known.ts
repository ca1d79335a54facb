import { sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import * as z from 'zod';
import { statement } from '../store/statement.ts';
import type { Store } from '../store/store.ts';
import { isInstalled, uninstalled } from './installed.ts';
import type { Loading } from './lease.ts';
import {
  history,
  intentShape,
  isPlain,
  newest,
  type Place,
  REVISION,
  revisionShape,
  versionShape,
} from './revisions.ts';
import type { Base } from './types.ts';

const mirrorShape = z.object({
  field: z.string().nullable(),
  text: z.string().nullable(),
  behind: z.boolean(),
  notice: z.string().nullable(),
});
/** What is known of the issue's text field. */
export type Mirror = z.infer<typeof mirrorShape>;

const knownShape = z.object({
  intent: intentShape.extend({ given_up: z.boolean() }).nullable(),
  last: versionShape.nullable(),
  /** The highest number given within the epoch, 0 before the first. */
  highest: z.coerce.number(),
  mirror: mirrorShape.nullable(),
  /** What was made already of the changes that are asked for. */
  made: z.array(revisionShape),
  /** The versions that they start from, and those that have the numbers of which they say so. */
  bases: z.array(versionShape),
  /** The latest versions, the newest first, where a change may need more of the history. */
  recent: z.array(versionShape),
});
/** What our own tables say of an issue before the tracker is asked. */
export type Known = z.infer<typeof knownShape>;

/** Most of the latest versions in which the rows of a text are looked for. */
export const RECENT = 20;

/** Whose changes are asked for, on which bases, and whether rows may be theirs that none of those has. */
export type Asked = readonly { account: string; client: string; base: Base; addsRows: boolean }[];

/** What is asked for, as lists for the database. */
interface Lists {
  accounts: string[];
  clients: string[];
  /** Of the bases. */
  epochs: string[];
  seqs: number[];
  hashes: string[];
  /** How many of the latest versions are looked at. */
  recent: number;
}

function listsOf(asked: Asked): Lists {
  const bases = asked.map(({ base }) => base).filter(({ epoch, hash }) => isPlain(epoch || '-') && isPlain(hash));
  return {
    accounts: asked.map(({ account }) => account),
    clients: asked.map(({ client }) => client),
    epochs: bases.map(({ epoch }) => epoch),
    seqs: bases.map(({ seq }) => seq),
    hashes: bases.map(({ hash }) => hash),
    recent: asked.some(({ base, addsRows }) => addsRows || base.text !== undefined) ? RECENT : 0,
  };
}

/** Names that go with others of the same place; by their columns, so that the statement is prepared (store/postgres.ts). */
const pairs = (ones: readonly string[], others: readonly unknown[], type: 'text' | 'integer') =>
  sql`select one, other from unnest(${ones}::text[], ${others}::${sql.raw(type)}[]) as pair(one, other)`;

const known = statement((db, values: Place & Lists & { own: string }) => {
  const { tenant, issue, own, accounts, clients, epochs, seqs, hashes, recent } = values;
  const place = { tenant, issue };
  const intent = db.selectFrom('intent').where('tenant', '=', tenant).where('issue', '=', issue);
  const mirror = db.selectFrom('mirror').where('tenant', '=', tenant).where('issue', '=', issue);
  const highest = history(db, place).where('epoch', '=', own).select(sql<number>`coalesce(max(seq), 0)`.as('seq'));
  const made = history(db, place)
    .select(REVISION)
    .where(sql<boolean>`(account, client) in (${pairs(accounts, clients, 'text')})`);
  // Of several that say the same the one that a base names, else the newest.
  const bases = history(db, place)
    .select(['epoch', 'seq', 'hash', 'name', 'text', 'rows'])
    .distinctOn('hash')
    .where(sql<boolean>`(hash = any(${hashes}::text[]) or (epoch, seq) in (${pairs(epochs, seqs, 'integer')}))`)
    .orderBy('hash')
    .orderBy(sql`(epoch, seq) in (${pairs(epochs, seqs, 'integer')})`, 'desc')
    .orderBy('created', 'desc')
    .orderBy('seq', 'desc');
  return db.selectNoFrom([
    isInstalled({ id: tenant, epoch: own }).as('installed'),
    jsonObjectFrom(intent.select(['epoch', 'seq', 'hash', 'revisions', 'field', 'found', 'found_base', 'given_up'])).as(
      'intent',
    ),
    jsonObjectFrom(newest(db, place).limit(1)).as('last'),
    highest.as('highest'),
    jsonObjectFrom(mirror.select(['field', 'text', 'behind', 'notice'])).as('mirror'),
    jsonArrayFrom(made).as('made'),
    jsonArrayFrom(bases).as('bases'),
    jsonArrayFrom(newest(db, place).limit(recent)).as('recent'),
  ]);
});

const loadedShape = knownShape.extend({ installed: z.boolean() });

/** All of it at one go. `own` is the tenant's epoch; reading throws `Unauthorized` where that installation is gone. */
export const loadingKnown = (place: Place, own: string, asked: Asked = []): Loading<Known> => ({
  statement: known({ ...place, own, ...listsOf(asked) }),
  read(row) {
    const { installed, ...found } = loadedShape.parse(row);
    if (!installed) throw uninstalled();
    const intended = found.intent?.epoch === own ? found.intent.seq : 0;
    return { ...found, highest: Math.max(found.highest, intended) };
  },
});

/** The same, outside of a lease's transaction. */
export async function loadKnown(store: Store, place: Place, own: string, asked?: Asked): Promise<Known> {
  const { statement, read } = loadingKnown(place, own, asked);
  const [found] = await store.together(place.tenant, [statement]);
  return read(found.rows[0]);
}
