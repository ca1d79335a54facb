import { sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import * as z from 'zod';
import type { Tx } from '../store/tables.ts';
import { isInstalled, uninstalled } from './installed.ts';
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
  made: z.array(revisionShape).default([]),
  /** The versions that they start from. */
  bases: z.array(versionShape).default([]),
});
/** What our own tables say of an issue before the tracker is asked. */
export type Known = z.infer<typeof knownShape>;

/** Whose changes are asked for, and on which bases. */
export type Asked = readonly { account: string; client: string; base: Base }[];

const madeOf = (tx: Tx, place: Place, asked: Asked) =>
  history(tx, place)
    .select(REVISION)
    .where(eb => eb.or(asked.map(({ account, client }) => eb.and({ account, client }))));

/** The versions of the bases' hashes; of several that say the same the one that a base names, else the newest. */
function basesOf(tx: Tx, place: Place, asked: Asked) {
  const bases = asked.map(({ base }) => base).filter(({ epoch, hash }) => isPlain(epoch || '-') && isPlain(hash));
  const hashes = ['', ...bases.map(({ hash }) => hash)];
  return history(tx, place)
    .select(['epoch', 'seq', 'hash', 'name', 'text', 'rows'])
    .distinctOn('hash')
    .where('hash', 'in', hashes)
    .orderBy('hash')
    .orderBy(eb => eb.or(bases.map(({ epoch, seq }) => eb.and({ epoch, seq }))), 'desc')
    .orderBy('created', 'desc')
    .orderBy('seq', 'desc');
}

const loadedShape = knownShape.extend({ installed: z.boolean() });

/** All of it at one go. `epoch` is the tenant's; rejects with `Unauthorized` where that installation is gone. */
export async function loadKnown(tx: Tx, place: Place, epoch: string, asked: Asked = []): Promise<Known> {
  const { tenant, issue } = place;
  const intent = tx.selectFrom('intent').where('tenant', '=', tenant).where('issue', '=', issue);
  const mirror = tx.selectFrom('mirror').where('tenant', '=', tenant).where('issue', '=', issue);
  const highest = history(tx, place).where('epoch', '=', epoch).select(sql<number>`coalesce(max(seq), 0)`.as('seq'));
  const row = await tx
    .selectNoFrom([
      isInstalled({ id: tenant, epoch }).as('installed'),
      jsonObjectFrom(
        intent.select(['epoch', 'seq', 'hash', 'revisions', 'field', 'found', 'found_base', 'given_up']),
      ).as('intent'),
      jsonObjectFrom(newest(tx, place).limit(1)).as('last'),
      highest.as('highest'),
      jsonObjectFrom(mirror.select(['field', 'text', 'behind', 'notice'])).as('mirror'),
      ...(asked.length
        ? [jsonArrayFrom(madeOf(tx, place, asked)).as('made'), jsonArrayFrom(basesOf(tx, place, asked)).as('bases')]
        : []),
    ])
    .executeTakeFirstOrThrow();
  const { installed, ...known } = loadedShape.parse(row);
  if (!installed) throw uninstalled();
  const intended = known.intent?.epoch === epoch ? known.intent.seq : 0;
  return { ...known, highest: Math.max(known.highest, intended) };
}
