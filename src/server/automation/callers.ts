import { randomBytes, randomUUID } from 'node:crypto';
import { isSameReceiver, MAX_WEBHOOK_PROJECTS, MAX_WEBHOOKS } from '../../domain/automation/webhooks.ts';
import { fieldErrors, validateName } from '../../domain/fields.ts';
import { automation as messages } from '../../domain/messages.ts';
import { cleanName } from '../../text/document.ts';
import { requireAdmin, requireKnownProjects, requireProjects } from '../access/project-permissions.ts';
import { bodyOf, CALLS_KEY } from '../checklists/decide/webhook-calls.ts';
import type { Refusing } from '../errors/refusal.ts';
import { Refused } from '../errors/refused.ts';
import { type Deliver, isAllowed, type SiteHost } from '../events/webhooks/deliver.ts';
import {
  addWebhook,
  callsOf,
  dropWebhook,
  findWebhook,
  loadWebhooks,
  logCall,
  type StoredWebhook,
  saveWebhook,
} from '../events/webhooks/records.ts';
import { canSign, signedCall } from '../events/webhooks/send.ts';
import type { Caller } from '../platform/tokens.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import type { Queue } from '../queue/queue.ts';
import { lockTenant } from '../store/lock.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import type { ListedWebhook, WebhookInput, Webhooks } from './types.ts';

export interface WebhooksOptions {
  store: Store;
  vault: Vault;
  caller: Caller;
  tracker: Tracker;
  queue: Pick<Queue, 'enqueue' | 'wake'>;
  deliver: Deliver;
  /** See `isAllowed`. */
  privateHosts: readonly SiteHost[];
  /** The server's URL. */
  baseUrl: string;
  refusing: Refusing;
}

const SECRET_BYTES = 32;
const MAX_URL_CHARS = 2_000;
const printable = /^[\x21-\x7e]{1,500}$/;

const newSecretValue = () => `whs_${randomBytes(SECRET_BYTES).toString('base64url')}`;

export function callersWebhooks(options: WebhooksOptions): Webhooks {
  const { store, vault, caller, tracker, queue, deliver, privateHosts, baseUrl, refusing } = options;
  const { tenant, account } = caller;
  const notFound = () => new Refused('NOT_FOUND', messages.notFound, 'id');
  const sealed = (secret: string) => vault.seal(tenant.id, secret);

  const listed = ({ secret, token, failures, failing, retryAt, ...webhook }: StoredWebhook): ListedWebhook => ({
    ...webhook,
    address: webhook.direction === 'INCOMING' ? `${baseUrl}/hooks/${webhook.id}` : null,
  });

  /** Rejects with `Refused` if values are missing or wrong. */
  async function check(values: WebhookInput): Promise<void> {
    const { direction, name, url, events, actions, projects, token } = values;
    const code = validateName(name);
    if (code) throw new Refused(code, fieldErrors[code], 'name');
    if (direction === 'OUTGOING') {
      if (!/^https?:\/\//i.test(url) || url.length > MAX_URL_CHARS || !URL.canParse(url))
        throw new Refused('UNREADABLE', messages.url, 'url');
      if (!isAllowed(tenant.url, url, privateHosts)) {
        throw new Refused('UNREADABLE', /^https:/i.test(url) ? messages.privateUrl : messages.url, 'url');
      }
      if (events.length === 0) throw new Refused('REQUIRED', messages.noEvents, 'events');
    } else if (actions.length === 0) throw new Refused('REQUIRED', messages.noActions, 'actions');
    if (token && !printable.test(token)) throw new Refused('UNREADABLE', messages.token, 'token');
    await requireKnownProjects(tracker, projects);
  }

  /** Rejects unless the caller administers webhooks of these projects; resolves with whether those of the site, too. */
  async function requireWebhooks(projects: readonly string[]): Promise<boolean> {
    // Before the tracker is asked about them.
    if (projects.length > MAX_WEBHOOK_PROJECTS) {
      throw new Refused('TOO_LARGE', messages.tooManyProjects(MAX_WEBHOOK_PROJECTS), 'projectIds');
    }
    return requireProjects(caller, tracker, projects);
  }

  /** The webhook, and whether the caller administers the site. Rejects unless the caller administers the webhook. */
  async function requireWebhook(id: string): Promise<{ webhook: StoredWebhook; ofSite: boolean }> {
    const webhook = await store.tenant(tenant.id, tx => findWebhook(tx, tenant.id, id));
    if (!webhook) throw notFound();
    return { webhook, ofSite: await requireWebhooks(webhook.projects) };
  }

  /**
   * Those that a caller sees beside a webhook of these projects: all of them an administrator of the site, except beside
   * one of a single project; others only those whose projects are all among these.
   */
  const beside = (
    webhooks: readonly StoredWebhook[],
    { projects, ofSite }: { projects: readonly string[]; ofSite: boolean },
  ): ListedWebhook[] => {
    const isWithin = (each: StoredWebhook) =>
      each.projects.length > 0 && each.projects.every(project => projects.includes(project));
    return (ofSite && projects.length !== 1 ? webhooks : webhooks.filter(isWithin)).map(listed);
  };

  async function list(project?: string): Promise<ListedWebhook[]> {
    await requireAdmin(caller, tracker, project ?? null);
    const webhooks = await store.tenant(tenant.id, tx => loadWebhooks(tx, tenant.id));
    return beside(webhooks, { projects: project === undefined ? [] : [project], ofSite: project === undefined });
  }

  const tidied = (values: WebhookInput): WebhookInput => ({
    ...values,
    name: cleanName(values.name),
    url: values.direction === 'OUTGOING' ? values.url.trim() : '',
    events: values.direction === 'OUTGOING' ? values.events : [],
    actions: values.direction === 'INCOMING' ? values.actions : [],
    projects: [...new Set(values.projects)],
  });

  async function create(webhookInput: WebhookInput) {
    const { token, ...values } = tidied(webhookInput);
    const { projects } = values;
    const ofSite = await requireWebhooks(projects);
    await check({ ...values, token });
    const secret = newSecretValue();
    return store.tenant(tenant.id, async tx => {
      await lockTenant(tx, tenant.id);
      if ((await loadWebhooks(tx, tenant.id)).length >= MAX_WEBHOOKS) {
        throw new Refused('LIMIT_REACHED', messages.tooMany(MAX_WEBHOOKS));
      }
      const secrets = { secret: sealed(secret), token: token ? sealed(token) : null };
      await addWebhook(tx, tenant.id, { ...values, id: randomUUID(), account, ...secrets });
      return { webhooks: beside(await loadWebhooks(tx, tenant.id), { projects, ofSite }), secret };
    });
  }

  async function update(id: string, webhookInput: Partial<WebhookInput>, newSecret: boolean) {
    const { webhook: before, ofSite } = await requireWebhook(id);
    const { token, ...values } = tidied({ ...before, token: undefined, ...webhookInput, direction: before.direction });
    const { projects } = values;
    if (!ofSite && projects.join() !== before.projects.join()) await requireWebhooks(projects);
    // A webhook whose project was deleted can still be turned off; other values that are not checked do not change.
    const onlyTurnsOff = webhookInput.enabled === false && Object.keys(webhookInput).length === 1;
    if (!onlyTurnsOff) await check({ ...values, token });
    const changed = await store.tenant(tenant.id, async tx => {
      await lockTenant(tx, tenant.id);
      const currentWebhook = await findWebhook(tx, tenant.id, id);
      // The permission was checked for the projects of then.
      if (!currentWebhook || currentWebhook.projects.join() !== before.projects.join()) throw notFound();
      // The secret and the token of one receiver are never sent to another receiver.
      const isSame = isSameReceiver(values.url, currentWebhook.url);
      const secret = newSecret || !isSame || (values.enabled && !canSign(currentWebhook)) ? newSecretValue() : null;
      const newToken = isSame ? token : (token ?? '');
      await saveWebhook(tx, tenant.id, id, {
        ...{ ...values, account, dropsWaiting: !isSame },
        ...(secret !== null && { secret: sealed(secret) }),
        ...(newToken !== undefined && { token: newToken === '' ? null : sealed(newToken) }),
      });
      if (values.enabled && values.direction === 'OUTGOING') {
        // Calls that waited for the receiver are due at once.
        await tx.executeQuery(queue.enqueue('send-webhooks', { tenant: tenant.id }, { after: 0, key: CALLS_KEY }));
      }
      return { webhooks: beside(await loadWebhooks(tx, tenant.id), { projects, ofSite }), secret };
    });
    queue.wake();
    return changed;
  }

  async function remove(id: string) {
    const { webhook, ofSite } = await requireWebhook(id);
    return store.tenant(tenant.id, async tx => {
      await dropWebhook(tx, tenant.id, id);
      return beside(await loadWebhooks(tx, tenant.id), { projects: webhook.projects, ofSite });
    });
  }

  async function test(id: string) {
    const { webhook } = await requireWebhook(id);
    if (webhook.direction !== 'OUTGOING') throw notFound();
    if (!canSign(webhook)) throw new Refused('REQUIRED', messages.noSecret, 'secret');
    const event = 'test';
    const call = { id: randomUUID(), event };
    const body = bodyOf({ ...call, time: new Date(), issues: [], data: { event } });
    const { status, took } = await deliver(signedCall(webhook, { ...call, body }, { vault, tenant, now: Date.now() }));
    const accepted = status >= 200 && status < 300;
    await store.tenant(tenant.id, tx =>
      logCall(tx, tenant.id, {
        ...{ ...call, webhook: id, issue: null, status, took },
        outcome: accepted ? 'OK' : 'FAILED',
      }),
    );
    if (accepted) return messages.accepted(status);
    throw new Refused('UNREADABLE', status === 0 ? messages.notSent : messages.answered(status), 'url');
  }

  async function calls(id: string) {
    await requireWebhook(id);
    return store.tenant(tenant.id, tx => callsOf(tx, tenant.id, id));
  }

  return {
    list: project => refusing(list(project)),
    create: values => refusing(create(values)),
    update: (id, values, newSecret) => refusing(update(id, values, newSecret)),
    remove: id => refusing(remove(id)),
    test: id => refusing(test(id)),
    calls: id => refusing(calls(id)),
  };
}
