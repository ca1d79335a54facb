import { sql } from 'kysely';
import { webhookHeaders } from '../../../domain/automation/webhooks.ts';
import { backoff, jittered } from '../../../domain/timing.ts';
import { CALLS_KEY } from '../../checklists/decide/webhook-calls.ts';
import type { Tenant, Tenants } from '../../platform/tenants.ts';
import { type Handlers, type Queue, RetryLater } from '../../queue/queue.ts';
import type { Store } from '../../store/store.ts';
import type { Tx } from '../../store/tables.ts';
import type { Vault } from '../../store/vault.ts';
import type { Deliver, DeliveryAnswer, OutgoingCall } from './deliver.ts';
import {
  findWebhook,
  loadWebhooks,
  noteAccepted,
  noteFailure,
  pruneWaiting,
  type StoredWebhook,
  stopWebhook,
} from './records.ts';
import { sign } from './signature.ts';

export interface SendOptions {
  store: Store;
  vault: Vault;
  tenants: Pick<Tenants, 'find'>;
  deliver: Deliver;
  queue: Pick<Queue, 'restore'>;
  /** Receives errors that do not stop the work. */
  onError(error: unknown): void;
  now?(): number;
}

/** The pause before the next try of a call is doubled each time. */
const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 3_600_000;
/** A webhook is turned off after this many failed tries in a row over at least this time. */
const MAX_FAILURES = 10;
const MAX_FAILING_MS = 24 * 3_600_000;
/** A run of the job ends after `RUN_LIMIT_MS`. The remaining calls wait for the next run. */
const MAX_PARALLEL_WEBHOOKS = 5;
const RUN_LIMIT_MS = 20_000;

type Site = Pick<Tenant, 'id' | 'url'>;

/** A waiting call. */
interface Waiting {
  id: string;
  event: string;
  body: string | null;
}

const isAccepted = ({ status }: DeliveryAnswer): boolean => status >= 200 && status < 300;

/** A webhook whose calls can be signed. */
export type SigningWebhook = StoredWebhook & { secret: Uint8Array };
export const canSign = (webhook: StoredWebhook): webhook is SigningWebhook => webhook.secret !== null;

/** A call as it is sent, signed now. */
export function signedCall(
  webhook: SigningWebhook,
  { id, event, body }: { id: string; event: string; body: string },
  { vault, tenant, now }: { vault: Vault; tenant: Site; now: number },
): OutgoingCall {
  const time = Math.floor(now / 1000);
  return {
    site: tenant.url,
    url: webhook.url,
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Smart-Checklist',
      [webhookHeaders.signature]: sign(vault.open(tenant.id, webhook.secret), body, time),
      [webhookHeaders.delivery]: id,
      [webhookHeaders.event]: event,
      ...(webhook.token && { [webhookHeaders.token]: vault.open(tenant.id, webhook.token) }),
    },
  };
}

const waitingOf = (tx: Tx, tenant: string) =>
  tx.selectFrom('webhook_call').where('tenant', '=', tenant).where('outcome', 'is', null);

/** The webhook's oldest waiting call. */
const nextCall = (tx: Tx, tenant: string, webhook: string): Promise<Waiting | undefined> =>
  waitingOf(tx, tenant)
    .select(['id', 'event', 'body'])
    .where('webhook', '=', webhook)
    .orderBy('created')
    .limit(1)
    .executeTakeFirst();

/** Stores the result of a try. One that was not accepted waits for the next one. */
async function noteTry(
  tx: Tx,
  tenant: string,
  webhook: string,
  { id }: Waiting,
  answer: DeliveryAnswer,
): Promise<void> {
  const accepted = isAccepted(answer);
  await tx
    .updateTable('webhook_call')
    .set({
      ...{ status: answer.status, took: answer.took, tries: sql<number>`tries + 1` },
      ...(accepted && { outcome: 'OK', body: null, ended: sql<Date>`now()` }),
    })
    .where('tenant', '=', tenant)
    .where('webhook', '=', webhook)
    .where('id', '=', id)
    .execute();
}

export interface Sender {
  jobs: Pick<Handlers, 'send-webhooks'>;
  /** Drops a tenant's oldest waiting calls beyond their limit, and restores the job of the others. */
  recover(tenant: string): Promise<void>;
}

/** Sends waiting calls, each at least once. The calls of one webhook keep their order. */
export function createSender(options: SendOptions): Sender {
  const { store, vault, tenants, deliver, queue, onError, now = Date.now } = options;

  /** Sends a call. One that cannot be made, such as when a secret cannot be opened, is a failed try. */
  async function deliverCall(
    tenant: Site,
    webhook: StoredWebhook,
    { id, event, body }: Waiting,
  ): Promise<DeliveryAnswer> {
    try {
      if (!canSign(webhook)) throw new Error('The webhook has no secret.');
      const call = signedCall(webhook, { id, event, body: body ?? '' }, { vault, tenant, now: now() });
      return await deliver(call);
    } catch (error) {
      onError(error);
      return { status: 0, took: 0 };
    }
  }

  /** Sends one call. Resolves with whether the next one may follow. */
  async function sendNext(site: Site, id: string): Promise<boolean> {
    const tenant = site.id;
    // Together: a call goes to the receiver that it waits for, also while an administrator changes the address.
    const [webhook, call] = await store.tenant(tenant, tx =>
      Promise.all([findWebhook(tx, tenant, id), nextCall(tx, tenant, id)]),
    );
    if (!webhook || !call) return false;
    const answer = await deliverCall(site, webhook, call);
    return store.tenant(tenant, async tx => {
      await noteTry(tx, tenant, webhook.id, call, answer);
      if (isAccepted(answer)) {
        if (webhook.failures > 0) await noteAccepted(tx, tenant, webhook.id);
        return true;
      }
      const failing = webhook.failing ? now() - webhook.failing.getTime() : 0;
      if (webhook.failures + 1 >= MAX_FAILURES && failing >= MAX_FAILING_MS) await stopWebhook(tx, tenant, webhook.id);
      else {
        const pause = jittered(backoff(webhook.failures, FIRST_PAUSE_MS, MAX_PAUSE_MS));
        await noteFailure(tx, tenant, webhook.id, pause);
      }
      return false;
    });
  }

  /** The webhooks with waiting calls, the longest wait first. */
  async function open(tenant: string): Promise<StoredWebhook[]> {
    return store.tenant(tenant, async tx => {
      const oldest = sql`min(created)`;
      const waiting = await waitingOf(tx, tenant).select('webhook').groupBy('webhook').orderBy(oldest).execute();
      const webhooks = new Map((await loadWebhooks(tx, tenant)).map(each => [each.id, each]));
      return waiting.flatMap(({ webhook }) => webhooks.get(webhook) ?? []).filter(({ enabled }) => enabled);
    });
  }

  const isDue = ({ retryAt }: StoredWebhook) => retryAt === null || retryAt.getTime() <= now();

  async function send(id: string, signal: AbortSignal): Promise<void> {
    const site = await tenants.find(id);
    if (!site) return;
    const end = now() + RUN_LIMIT_MS;
    const due = (await open(id)).filter(isDue);
    const errors: unknown[] = [];
    const sendAll = async (webhook: StoredWebhook) => {
      while (!signal.aborted && now() < end && (await sendNext(site, webhook.id)));
    };
    const work = async () => {
      for (let webhook = due.shift(); webhook; webhook = due.shift()) {
        // An error of one webhook does not stop the others, and the job ends when none is being called.
        await sendAll(webhook).catch((error: unknown) => errors.push(error));
      }
    };
    await Promise.all(Array.from({ length: MAX_PARALLEL_WEBHOOKS }, work));
    if (errors.length > 0) throw errors[0];
    const remainingCalls = await open(id);
    if (remainingCalls.length === 0) return;
    const next = Math.min(...remainingCalls.map(({ retryAt }) => retryAt?.getTime() ?? now()));
    throw new RetryLater(Math.max(0, next - now()));
  }

  return {
    jobs: { 'send-webhooks': ({ tenant }, { signal }) => send(tenant, signal) },
    async recover(tenant) {
      await store.tenant(tenant, tx => pruneWaiting(tx, tenant));
      if ((await open(tenant)).length > 0) {
        await queue.restore('send-webhooks', { tenant }, { after: 0, key: CALLS_KEY });
      }
    },
  };
}
