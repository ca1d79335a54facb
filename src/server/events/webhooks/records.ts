import { type Selectable, sql, type Updateable } from 'kysely';
import * as v from 'valibot';
import {
  type WebhookAction,
  type WebhookDirection,
  type WebhookEvent,
  webhookActions,
  webhookDirections,
  webhookEvents,
} from '../../../domain/automation/webhooks.ts';
import { readAs } from '../../../domain/shape.ts';
import { publish } from '../../store/live-events.ts';
import type { Tx, WebhookCallTable, WebhookTable } from '../../store/tables.ts';

/** The values of a webhook that an administrator decides. */
export interface WebhookValues {
  direction: WebhookDirection;
  name: string;
  /** The receiver; empty for an incoming one. */
  url: string;
  events: readonly WebhookEvent[];
  actions: readonly WebhookAction[];
  /** Ids of projects; empty for all. */
  projects: readonly string[];
  withText: boolean;
  automated: boolean;
  enabled: boolean;
}

export interface Webhook extends WebhookValues {
  id: string;
  /** False once the installation has ended in which the secret was made. It is off until it gets a new one. */
  hasSecret: boolean;
  hasToken: boolean;
  /** When it was turned off because its receiver failed. */
  stopped: Date | null;
}

/** A webhook with its sealed secrets. */
export interface StoredWebhook extends Webhook {
  secret: Uint8Array | null;
  token: Uint8Array | null;
  failures: number;
  failing: Date | null;
  retryAt: Date | null;
}

const strings = v.array(v.string());
const knownValues = <const Options extends readonly string[]>(options: Options) =>
  v.pipe(
    strings,
    v.transform(storedValues => options.filter((each): each is Options[number] => storedValues.includes(each))),
  );
const readShape = v.object({
  direction: v.picklist(webhookDirections),
  events: knownValues(webhookEvents),
  actions: knownValues(webhookActions),
  projects: strings,
});

/** A webhook with unreadable values is off: no projects would mean all of them. */

function webhookOf(row: Selectable<WebhookTable>): StoredWebhook {
  const { id, name, url, with_text: withText, automated, enabled, secret, token } = row;
  const { failures, failing, retry_at: retryAt, stopped } = row;
  const parsedRow = readAs(readShape, row);
  return {
    ...{ id, name, url: url ?? '', withText, automated, secret, token },
    ...{ failures, failing, retryAt, stopped, hasToken: token !== null },
    hasSecret: secret !== null,
    ...(parsedRow ?? { direction: 'OUTGOING', events: [], actions: [], projects: [] }),
    enabled: enabled && parsedRow !== undefined,
  };
}

const columnsOf = (values: WebhookValues) => ({
  ...{ direction: values.direction, name: values.name, url: values.url || null, enabled: values.enabled },
  ...{ with_text: values.withText, automated: values.automated },
  events: JSON.stringify(values.events),
  actions: JSON.stringify(values.actions),
  projects: JSON.stringify(values.projects),
});

/** The tenant's webhooks, in the order of their creation. */
export async function loadWebhooks(tx: Tx, tenant: string): Promise<StoredWebhook[]> {
  const rows = await tx
    .selectFrom('webhook')
    .selectAll()
    .where('tenant', '=', tenant)
    .orderBy('created')
    .orderBy('id')
    .execute();
  return rows.map(webhookOf);
}

export async function findWebhook(tx: Tx, tenant: string, id: string): Promise<StoredWebhook | undefined> {
  const row = await tx
    .selectFrom('webhook')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && webhookOf(row);
}

export async function addWebhook(
  tx: Tx,
  tenant: string,
  values: WebhookValues & { id: string; account: string; secret: Uint8Array; token: Uint8Array | null },
): Promise<void> {
  const { id, account, secret, token } = values;
  await tx
    .insertInto('webhook')
    .values({ tenant, id, account, secret, token, ...columnsOf(values) })
    .execute();
  await publish(tx, tenant, { kind: 'settings' });
}

/**
 * Replaces a webhook's values; one that had failed starts afresh. `token`: `undefined` keeps it. `dropsWaiting`: what
 * waited for the former receiver is not sent to the new one.
 */
export async function saveWebhook(
  tx: Tx,
  tenant: string,
  id: string,
  values: WebhookValues & {
    account: string;
    secret?: Uint8Array;
    token?: Uint8Array | null | undefined;
    dropsWaiting: boolean;
  },
): Promise<void> {
  const { account, secret, token } = values;
  await update(tx, tenant, id, {
    ...columnsOf(values),
    ...{ account, failures: 0, failing: null, retry_at: null, stopped: null },
    ...(secret && { secret }),
    ...(token !== undefined && { token }),
  });
  if (!values.enabled || values.dropsWaiting) await dropWaiting(tx, tenant, id);
  await publish(tx, tenant, { kind: 'settings' });
}

const update = (tx: Tx, tenant: string, id: string, values: Updateable<WebhookTable>) =>
  tx.updateTable('webhook').set(values).where('tenant', '=', tenant).where('id', '=', id).execute();

export async function dropWebhook(tx: Tx, tenant: string, id: string): Promise<void> {
  await tx.deleteFrom('webhook').where('tenant', '=', tenant).where('id', '=', id).execute();
  await tx.deleteFrom('webhook_call').where('tenant', '=', tenant).where('webhook', '=', id).execute();
  await publish(tx, tenant, { kind: 'settings' });
}

/** The receiver accepted a call. */
export const noteAccepted = (tx: Tx, tenant: string, id: string) =>
  update(tx, tenant, id, { failures: 0, failing: null, retry_at: null });

/** The receiver did not accept a call; the next one is sent after `pause` milliseconds. */
export const noteFailure = (tx: Tx, tenant: string, id: string, pause: number) =>
  tx
    .updateTable('webhook')
    .set({
      failures: sql<number>`failures + 1`,
      failing: sql<Date>`coalesce(failing, now())`,
      retry_at: sql<Date>`now() + make_interval(secs => ${pause}::float8 / 1000)`,
    })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .execute();

const dropWaiting = (tx: Tx, tenant: string, webhook: string) =>
  tx
    .updateTable('webhook_call')
    .set({ outcome: 'DROPPED', body: null, ended: sql<Date>`now()` })
    .where('tenant', '=', tenant)
    .where('webhook', '=', webhook)
    .where('outcome', 'is', null)
    .execute();

/** Turns a webhook off whose receiver failed for too long, and drops its waiting calls. */
export async function stopWebhook(tx: Tx, tenant: string, id: string): Promise<void> {
  await update(tx, tenant, id, { enabled: false, stopped: sql<Date>`now()` as unknown as Date });
  await dropWaiting(tx, tenant, id);
  await publish(tx, tenant, { kind: 'settings' });
}

/** An entry of a webhook's log: never texts. */
export type WebhookCall = Pick<WebhookCallTable, 'id' | 'event' | 'issue'> & {
  created: Date;
  status: number | null;
  /** `null` while it waits. */
  outcome: string | null;
  tries: number;
  took: number | null;
};

const MAX_SHOWN_ENTRIES = 50;

export const callsOf = (tx: Tx, tenant: string, webhook: string): Promise<WebhookCall[]> =>
  tx
    .selectFrom('webhook_call')
    .select(['id', 'event', 'issue', 'created', 'status', 'outcome', 'tries', 'took'])
    .where('tenant', '=', tenant)
    .where('webhook', '=', webhook)
    .orderBy('created', 'desc')
    .limit(MAX_SHOWN_ENTRIES)
    .execute();

/** Entries of a webhook's log are kept for these days, up to this number. */
const RETENTION_DAYS = 30;
const MAX_KEPT_ENTRIES = 200;
const MAX_WAITING_CALLS = 1_000;

/** Deletes old entries of the logs, and calls that have waited as long. */
export const pruneCalls = (tx: Tx, tenant: string) =>
  sql`delete from webhook_call where tenant = ${tenant} and (webhook, id) in (
    select webhook, id from (
      select webhook, id, outcome, created,
        row_number() over (partition by webhook, outcome is null order by created desc) as place
      from webhook_call where tenant = ${tenant}) entry
    where created < now() - make_interval(days => ${sql.lit(RETENTION_DAYS)})
      or (place > ${sql.lit(MAX_KEPT_ENTRIES)} and outcome is not null))`.execute(tx);

/** Deletes the oldest waiting calls beyond their limit. */
export const pruneWaiting = (tx: Tx, tenant: string) =>
  sql`delete from webhook_call where tenant = ${tenant} and outcome is null and (webhook, id) in (
    select webhook, id from (
      select webhook, id, row_number() over (partition by webhook order by created desc) as place
      from webhook_call where tenant = ${tenant} and outcome is null) entry
    where place > ${sql.lit(MAX_WAITING_CALLS)})`.execute(tx);

/** Adds an entry to a log. One of that id stays. */
export async function logCall(
  tx: Tx,
  tenant: string,
  entry: Pick<WebhookCall, 'id' | 'event' | 'issue' | 'status' | 'outcome' | 'took'> & { webhook: string },
): Promise<void> {
  await tx
    .insertInto('webhook_call')
    .values({ tenant, ...entry, body: null, tries: 1, ended: sql<Date>`now()` })
    .onConflict(conflict => conflict.columns(['tenant', 'webhook', 'id']).doNothing())
    .execute();
}
