import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { errorText, type Log } from '../log.ts';
import { siteAdmin } from '../site/people.ts';
import type { Site } from '../site/site.ts';
import type { Store } from '../store.ts';
import type { HostState } from '../wire/site.ts';
import { type Descriptor, descriptorShape } from './descriptor.ts';
import { registerFields } from './fields.ts';
import { frameUrl } from './frames.ts';
import { callLifecycle } from './handshake.ts';
import { AddonUnreachable, ask } from './http.ts';
import type { InstallKey } from './keys.ts';
import { writeSamples } from './samples.ts';
import { readDescriptor } from './schema.ts';
import type { Shared } from './tokens.ts';

export interface Installed {
  descriptor: Descriptor;
  shared: Shared;
}

/** An add-on of the site. Failures become its state; its methods do not reject. */
export interface Addon {
  state(): HostState['addons'][number];
  installed(): Installed | undefined;
  /**
   * Installs the add-on if necessary: it is new, its descriptor has changed, or it has lost its installation.
   * Resolves with whether it is in order.
   */
  check(): Promise<boolean>;
  /** Installs it in any case. */
  install(): Promise<void>;
  /** Uninstalls it; it is not reinstalled automatically. */
  uninstall(): Promise<void>;
}

export interface AddonOptions {
  site: Site;
  store: Store;
  installKey: InstallKey;
  addonUrl: string;
  /** Its number, from 0, under which its data is stored. */
  number: number;
  log: Log;
}

const installationShape = v.object({
  clientKey: v.string(),
  sharedSecret: v.string(),
  /** As it was when the add-on was installed. */
  descriptor: descriptorShape,
  removed: v.boolean(),
});

export function createAddon({ site, store, installKey, addonUrl, number, log }: AddonOptions): Addon {
  const installations = store.collection('installation', installationShape);
  /** Stored secrets: the current one, and one sent to the add-on without an answer yet. */
  const [CURRENT, PENDING] = number === 0 ? ['current', 'pending'] : [`current ${number}`, `pending ${number}`];
  const waiting = `Waiting for the add-on at ${addonUrl}.`;
  let trouble: { state: 'failed' | 'absent'; reason: string } | undefined;
  let running: Promise<boolean> | undefined;

  return {
    state,
    installed,
    check: () => runExclusive(check),
    install: () => next(install),
    uninstall: () => next(uninstall),
  };

  function state(): HostState['addons'][number] {
    if (trouble?.state === 'failed') return trouble;
    const { descriptor } = installed() ?? {};
    if (descriptor) return { state: 'installed', key: descriptor.key, name: descriptor.name };
    return { state: 'absent', reason: installations.get(CURRENT)?.removed ? 'Uninstalled.' : waiting };
  }

  function installed(): Installed | undefined {
    const installation = installations.get(CURRENT);
    if (!installation || installation.removed) return undefined;
    const { descriptor, clientKey, sharedSecret } = installation;
    return { descriptor, shared: { addonKey: descriptor.key, clientKey, sharedSecret } };
  }

  async function check(): Promise<void> {
    if (installations.get(CURRENT)?.removed) return;
    const descriptor = await fetchDescriptor();
    const currentInstallation = installed();
    const due =
      !currentInstallation ||
      installations.get(PENDING) !== undefined ||
      !isDeepStrictEqual(currentInstallation.descriptor, descriptor) ||
      !(await isKnown(currentInstallation));
    if (due) await handshake(descriptor);
  }

  async function install(): Promise<void> {
    await handshake(await fetchDescriptor());
  }

  async function uninstall(): Promise<void> {
    const installation = installations.get(CURRENT);
    if (!installation || installation.removed) return;
    await installations.put(CURRENT, { ...installation, removed: true });
    await callLifecycle('uninstalled', { ...installation, installKey, siteUrl: site.url });
    log.info(`Uninstalled ${installation.descriptor.key}.`);
  }

  /** Runs a task unless one is running; then waits for that instead. */
  function runExclusive(task: () => Promise<void>): Promise<boolean> {
    running ??= task()
      .then(
        () => {
          trouble = undefined;
        },
        (error: unknown) => {
          trouble = troubleOf(error);
        },
      )
      .then(() => {
        running = undefined;
        return trouble === undefined;
      });
    return running;
  }

  /** Runs a task after the running one. */
  async function next(task: () => Promise<void>): Promise<void> {
    while (running !== undefined) await running;
    await runExclusive(task);
  }

  function troubleOf(error: unknown): typeof trouble {
    if (error instanceof AddonUnreachable) return { state: 'absent', reason: waiting };
    const reason = errorText(error);
    // A repeated failure is logged once.
    if (trouble?.reason !== reason) log.error(reason);
    return { state: 'failed', reason };
  }

  async function fetchDescriptor(): Promise<Descriptor> {
    const answer = await ask(`${addonUrl}/atlassian-connect.json`);
    if (!answer.ok) throw new Error(`The add-on answers ${answer.status} when asked for its descriptor.`);
    try {
      return readDescriptor(JSON.parse(answer.text));
    } catch (error) {
      if (error instanceof SyntaxError) throw new Error(`The descriptor is no JSON: ${error.message}`);
      throw error;
    }
  }

  /** The secret is on disk before it is sent: after a kill at any time, the pending one is used again. */
  async function handshake(descriptor: Descriptor): Promise<void> {
    const installation = {
      clientKey: installations.get(PENDING)?.clientKey ?? installations.get(CURRENT)?.clientKey ?? randomUUID(),
      sharedSecret: randomBytes(48).toString('base64url'),
      descriptor,
      removed: false,
    };
    await registerFields(site, descriptor);
    await writeSamples(site, descriptor);
    await installations.put(PENDING, installation);
    await callLifecycle('installed', { ...installation, installKey, siteUrl: site.url });
    await installations.put(CURRENT, installation);
    await installations.delete(PENDING);
    log.info(`Installed ${[descriptor.key, descriptor.version].filter(Boolean).join(' ')}.`);
  }

  /**
   * Whether the add-on accepts the site's signature: one that lost its data answers a signed frame address with 401.
   */
  async function isKnown(installation: Installed): Promise<boolean> {
    const [page] = installation.descriptor.modules.generalPages;
    if (!page) return true;
    const { status } = await ask(await frameUrl({ ...installation, siteUrl: site.url }, page, siteAdmin.accountId, {}));
    return status !== 401 && status !== 403;
  }
}
