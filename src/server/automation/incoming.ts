import { createHash, randomUUID } from 'node:crypto';
import { automation as messages, refusals } from '../../domain/messages.ts';
import { automationAccount } from '../../domain/person.ts';
import { parseAs, readJson } from '../../domain/shape.ts';
import { isStarter } from '../../domain/templates/starters.ts';
import type { Progress } from '../../text/types.ts';
import { progressTask } from '../checklists/decide/derived.ts';
import type { AppChecklists } from '../checklists/service/app.ts';
import type { ChecklistService } from '../checklists/service/checklists.ts';
import type { AppIssue } from '../checklists/service/issue.ts';
import { answerOf } from '../errors/answer.ts';
import { Refused, type RefusedFinding } from '../errors/refused.ts';
import { findWebhook, logCall, type StoredWebhook } from '../events/webhooks/records.ts';
import { isSigned, sameSecret } from '../events/webhooks/signature.ts';
import type { Tenant, Tenants } from '../platform/tenants.ts';
import { cached } from '../store/cached.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import type { Vault } from '../store/vault.ts';
import { usableTemplate } from '../templates/usable.ts';
import { actionIn, calledChange, callShape, type IncomingCall } from './actions.ts';

/** The answer of an incoming call. */
export interface Accepted {
  id: string;
  /** Whether the checklist has another text than before. */
  changed: boolean;
  /** Whether a call with this id was made before, so that this one did nothing. */
  repeated: boolean;
  revision?: { epoch: string; seq: number };
  progress?: Progress | undefined;
  /** Findings in the added text that the sender probably meant otherwise, such as boxes of other notations. */
  diagnostics?: readonly RefusedFinding[];
}

/** A call with the proof of its origin. */
export interface ReceivedCall {
  webhook: string;
  body: Uint8Array;
  signature: string | undefined;
  /** The header `Authorization`. */
  authorization: string | undefined;
}

export interface Incoming {
  /** Makes the change that a call asks for. Rejects with `Refused`; `undefined` if the call proves nothing. */
  receive(call: ReceivedCall): Promise<Accepted | undefined>;
  /** The tenant of a webhook that this process has seen, so that a call costs no search in all tenants. */
  tenantOf(webhook: string): string | undefined;
}

export interface IncomingOptions {
  store: Store;
  vault: Vault;
  tenants: Pick<Tenants, 'find'>;
  checklists: Pick<ChecklistService, 'asApp'>;
  now?(): number;
}

/** Limits the cached tenants of webhooks, and separately the cached ids without a webhook. */
const MAX_CACHED_WEBHOOKS = 10_000;
const UNKNOWN_ID_CACHE_MS = 60_000;

const webhookId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isDone = async (tx: Tx, tenant: string, webhook: string, id: string): Promise<boolean> =>
  (await tx
    .selectFrom('webhook_call')
    .select('id')
    .where('tenant', '=', tenant)
    .where('webhook', '=', webhook)
    .where('id', '=', id)
    .where('outcome', '=', 'OK')
    .executeTakeFirst()) !== undefined;

export function createIncoming(options: IncomingOptions): Incoming {
  const { store, vault, tenants, checklists, now = Date.now } = options;
  /** The tenants of webhooks, which never change. */
  const tenantIds = cached<string | undefined>({
    max: MAX_CACHED_WEBHOOKS,
    ttl: tenant => (tenant === undefined ? UNKNOWN_ID_CACHE_MS : Number.POSITIVE_INFINITY),
  });

  const tenantOf = (webhook: string) =>
    tenantIds.get(webhook, async () => {
      const rows = await store.sweep(tx =>
        tx.selectFrom('webhook').select('tenant').where('id', '=', webhook).execute(),
      );
      return rows[0]?.tenant;
    });

  /** The webhook that a call is for, and has proved to know the secret of. */
  async function proved(call: ReceivedCall): Promise<{ tenant: Tenant; webhook: StoredWebhook } | undefined> {
    if (!webhookId.test(call.webhook)) return undefined;
    const id = await tenantOf(call.webhook);
    const tenant = id === undefined ? undefined : await tenants.find(id);
    if (!tenant) return undefined;
    const webhook = await store.tenant(tenant.id, tx => findWebhook(tx, tenant.id, call.webhook));
    if (!webhook?.enabled || webhook.direction !== 'INCOMING') return undefined;
    if (!webhook.secret) return undefined;
    const secret = vault.open(tenant.id, webhook.secret);
    const [, bearer] = /^Bearer\s+(\S{1,500})$/i.exec(call.authorization ?? '') ?? [];
    const isProved =
      call.signature === undefined
        ? bearer !== undefined && sameSecret(bearer, secret)
        : isSigned(call.signature, secret, call.body, now());
    return isProved ? { tenant, webhook } : undefined;
  }

  /** The id of the template that a call names by id or name, if there is one. */
  async function templateFor(tenant: Tenant, project: string, call: IncomingCall): Promise<string | undefined> {
    if (call.action !== 'applyTemplate') return undefined;
    const { template } = call;
    if (isStarter(template)) return template;
    return store.tenant(tenant.id, tx => usableTemplate(tx, tenant.id, project, template));
  }

  async function perform(
    { tenant, webhook, app }: { tenant: Tenant; webhook: StoredWebhook; app: AppChecklists },
    { issue: { id: issue, project }, id, call }: { issue: AppIssue; id: string; call: IncomingCall },
  ): Promise<Accepted> {
    const { projects } = webhook;
    if (projects.length > 0 && !projects.includes(project)) {
      throw new Refused('FORBIDDEN', messages.incoming.project, 'issue');
    }
    const { text, epoch, seq, hash } = await app.read(issue);
    const statuses = await app.statuses(project);
    const template = await templateFor(tenant, project, call);
    const change = await app.run(calledChange, { text, statuses, call, template });
    const about = async (currentVersion: { text: string; epoch: string; seq: number }) => ({
      ...{ id, repeated: false, changed: currentVersion.text !== text },
      revision: { epoch: currentVersion.epoch, seq: currentVersion.seq },
      progress: (await app.run(progressTask, [{ text: currentVersion.text, statuses }]))[0],
    });
    if (!change) return about({ text, epoch, seq });
    const { checklist, findings } = await app.change({
      ...{ issueId: issue, project, clientId: `${webhook.id}:${id}`, edit: change },
      ...{ isDryRun: false, findings: call.action === 'addItems' ? ('report' as const) : ('ignore' as const) },
      base: { epoch, seq, hash, orCurrent: true },
    });
    return { ...(await about(checklist)), ...(findings.length > 0 && { diagnostics: findings }) };
  }

  /** The call's own id, else one of its signature's code, which stops replays; without either a new one. */
  const idOf = ({ id }: IncomingCall, { signature }: ReceivedCall): string => {
    if (id !== undefined || signature === undefined) return id ?? randomUUID();
    const code = signature.slice(signature.indexOf(',') + 1);
    return createHash('sha256').update(code).digest('base64url').slice(0, 40);
  };

  async function receive(received: ReceivedCall): Promise<Accepted | undefined> {
    const provedCall = await proved(received);
    if (!provedCall) return undefined;
    const { tenant, webhook } = provedCall;
    const body = readJson(Buffer.from(received.body).toString());
    const entry = { webhook: webhook.id, event: actionIn(body) ?? 'unknown', took: null };
    let about: { id: string; issue: string | null } = { id: randomUUID(), issue: null };
    try {
      const call = parseAs(
        callShape,
        body,
        problem => new Refused('UNREADABLE', `${messages.incoming.unreadable}\n${problem}`),
      );
      about = { id: idOf(call, received), issue: null };
      if (!webhook.actions.includes(call.action)) throw new Refused('FORBIDDEN', messages.incoming.action, 'action');
      if (!tenant.licensed) throw new Refused('UNLICENSED', refusals.unlicensed);
      const { id } = about;
      if (await store.tenant(tenant.id, tx => isDone(tx, tenant.id, webhook.id, id))) {
        return { id, changed: false, repeated: true };
      }
      const app = checklists.asApp({ tenant, account: automationAccount(webhook.id) });
      // A webhook for some projects needs the issue's current project, not the cached one.
      const issue = await app.find(call.issue.trim(), webhook.projects.length > 0);
      about = { id, issue: issue.id };
      const accepted = await perform({ tenant, webhook, app }, { issue, id, call });
      await store.tenant(tenant.id, tx =>
        logCall(tx, tenant.id, { ...entry, ...about, event: call.action, status: 200, outcome: 'OK' }),
      );
      return accepted;
    } catch (error) {
      const { status, code } = answerOf(error);
      // Under an id of its own: the call may be repeated with the same one.
      const log = { ...entry, ...about, id: randomUUID(), status, outcome: code };
      await store.tenant(tenant.id, tx => logCall(tx, tenant.id, log));
      throw error;
    }
  }

  return { receive, tenantOf: webhook => tenantIds.peek(webhook) };
}
