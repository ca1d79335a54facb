import { sql } from 'kysely';
import { webhookHeaders } from '../../domain/automation/webhooks.ts';
import { backoff, jittered } from '../../domain/timing.ts';
import type { Tenants } from '../platform/tenants.ts';
import { type Handlers, RetryLater } from '../queue/queue.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import type { Vault } from '../store/vault.ts';
import type { Answered, Deliver, OutgoingCall } from './deliver.ts';
import { loadWebhooks, noteAccepted, noteFailure, type StoredWebhook, stopWebhook } from './records.ts';
import { sign } from './signature.ts';

export interface SendOptions {
  store: Store;
  vault: Vault;
  tenants: Pick<Tenants, 'find'>;
  deliver: Deliver;
  now?(): number;
}

/** Milliseconds before the second try of a call, and at most before a later one; doubled each time. */
const FIRST_PAUSE = 10_000;
const LONGEST_PAUSE = 3_600_000;
/** A webhook is turned off after so many failed tries in a row, over at least so many milliseconds. */
const MOST_FAILURES = 10;
const MOST_FAILING = 24 * 3_600_000;
/** Webhooks that are called at the same time, and milliseconds after which a run ends. */
const PARALLEL = 5;
const RUN_TIME = 20_000;

/** A waiting call. */
interface Waiting {
  id: string;
  event: string;
  body: string | null;
}

const isAccepted = ({ status }: Answered): boolean => status >= 200 && status < 300;

/** A call as it is sent, signed now. */
export function signedCall(
  webhook: StoredWebhook,
  { id, event, body }: { id: string; event: string; body: string },
  { vault, tenant, now }: { vault: Vault; tenant: string; now: number },
): OutgoingCall {
  const time = Math.floor(now / 1000);
  return {
    url: webhook.url,
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Smart-Checklist',
      [webhookHeaders.signature]: sign(vault.open(tenant, webhook.secret), body, time),
      [webhookHeaders.delivery]: id,
      [webhookHeaders.event]: event,
      ...(webhook.token && { [webhookHeaders.token]: vault.open(tenant, webhook.token) }),
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
async function noteTry(tx: Tx, tenant: string, webhook: string, { id }: Waiting, answer: Answered): Promise<void> {
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

/** Sends waiting calls: each at least once, those of one webhook in their order. */
export function createSender({
  store,
  vault,
  tenants,
  deliver,
  now = Date.now,
}: SendOptions): Pick<Handlers, 'send-webhooks'> {
  /** Sends one call. Resolves with whether the next one may follow. */
  async function sendNext(tenant: string, webhook: StoredWebhook): Promise<boolean> {
    const call = await store.tenant(tenant, tx => nextCall(tx, tenant, webhook.id));
    if (!call) return false;
    const { id, event, body } = call;
    const answer = await deliver(signedCall(webhook, { id, event, body: body ?? '' }, { vault, tenant, now: now() }));
    return store.tenant(tenant, async tx => {
      await noteTry(tx, tenant, webhook.id, call, answer);
      if (isAccepted(answer)) {
        if (webhook.failures > 0) await noteAccepted(tx, tenant, webhook.id);
        Object.assign(webhook, { failures: 0, failing: null });
        return true;
      }
      const failing = webhook.failing ? now() - webhook.failing.getTime() : 0;
      if (webhook.failures + 1 >= MOST_FAILURES && failing >= MOST_FAILING) await stopWebhook(tx, tenant, webhook.id);
      else {
        const pause = jittered(backoff(webhook.failures, FIRST_PAUSE, LONGEST_PAUSE));
        await noteFailure(tx, tenant, webhook.id, pause);
      }
      return false;
    });
  }

  /** The webhooks with waiting calls. */
  async function open(tenant: string): Promise<StoredWebhook[]> {
    return store.tenant(tenant, async tx => {
      const waiting = await waitingOf(tx, tenant).select('webhook').distinct().execute();
      const ids = new Set(waiting.map(({ webhook }) => webhook));
      return (await loadWebhooks(tx, tenant)).filter(({ id, enabled }) => enabled && ids.has(id));
    });
  }

  const isDue = ({ retryAt }: StoredWebhook) => retryAt === null || retryAt.getTime() <= now();

  return {
    async 'send-webhooks'({ tenant: id }, { signal }) {
      if (!(await tenants.find(id))) return;
      const end = now() + RUN_TIME;
      const queue = (await open(id)).filter(isDue);
      const work = async () => {
        for (let webhook = queue.shift(); webhook; webhook = queue.shift()) {
          while (!signal.aborted && now() < end && (await sendNext(id, webhook)));
        }
      };
      await Promise.all(Array.from({ length: PARALLEL }, work));
      const rest = await open(id);
      if (rest.length === 0) return;
      const next = Math.min(...rest.map(({ retryAt }) => retryAt?.getTime() ?? now()));
      throw new RetryLater(Math.max(0, next - now()));
    },
  };
}
