import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { App } from '../apps.ts';
import type { Addon } from '../connect/addon.ts';
import { AddonUnreachable, ask } from '../connect/http.ts';
import { errorText, type Log } from '../log.ts';
import { siteAdmin } from '../site/people.ts';
import type { Site } from '../site/site.ts';
import type { Store } from '../store.ts';
import type { HostState } from '../wire/site.ts';
import type { Events } from './events.ts';
import { bringFields } from './fields.ts';
import { appAri, installationAri, siteAri } from './identifiers.ts';
import { allScopes, type ForgePlatform, forgeApp, keyOf } from './platform.ts';
import { callRemote } from './remote.ts';

/** An installation of the app on a site. */
export interface Installed {
  /** The site's, permanent. */
  cloudId: string;
  /** A new one with each installation. */
  installation: string;
  version: number;
}

/** The site's Forge app. */
export interface ForgeApp {
  cloudId: string;
  state(): NonNullable<HostState['forge']>;
  installed(): Installed | undefined;
  /** The app for the REST API, while installed. */
  known(): App | undefined;
  /** Installs or upgrades it if necessary and its server is up. Resolves with whether it is in order. */
  check(): Promise<boolean>;
  /** Installs it in any case. */
  install(): Promise<void>;
  /** Uninstalls it after a call to its server, answered or not; it is not reinstalled automatically. */
  uninstall(): Promise<void>;
}

const installationShape = v.object({
  cloudId: v.pipe(v.string(), v.uuid()),
  installation: v.pipe(v.string(), v.uuid()),
  version: v.pipe(v.number(), v.safeInteger()),
  /** Of the manifest that was installed. */
  digest: v.string(),
  removed: v.boolean(),
});

/** The app's server must answer the last call within this time. */
const LAST_CALL_TIMEOUT_SECONDS = 55;
const CURRENT = 'current';

export async function openForgeApp({
  platform,
  site,
  store,
  addon,
  events,
  log,
}: {
  platform: ForgePlatform;
  site: Site;
  store: Store;
  /** Its Connect add-on: installed first, so that the site has a client key. */
  addon: Addon;
  events: Events;
  log: Log;
}): Promise<ForgeApp> {
  const installations = store.collection('forge-installation', installationShape);
  const identity = store.collection('forge-site', v.object({ cloudId: v.pipe(v.string(), v.uuid()) }));
  const { cloudId } = identity.get(CURRENT) ?? { cloudId: randomUUID() };
  await identity.put(CURRENT, { cloudId });
  const app = forgeApp(platform, allScopes(platform));
  let isReachable = true;

  function installed(): Installed | undefined {
    const storedInstallation = installations.get(CURRENT);
    return storedInstallation && !storedInstallation.removed
      ? { cloudId, installation: storedInstallation.installation, version: storedInstallation.version }
      : undefined;
  }

  async function install(eventType: 'avi:forge:installed:app' | 'avi:forge:upgraded:app'): Promise<void> {
    const before = installations.get(CURRENT);
    const isUpgrade = eventType === 'avi:forge:upgraded:app' && before;
    const newInstallation = {
      cloudId,
      installation: isUpgrade ? before.installation : randomUUID(),
      version: (before?.version ?? 0) + 1,
      digest: platform.digest,
      removed: false,
    };
    await bringFields(site, platform);
    await installations.put(CURRENT, newInstallation);
    events.publish({
      installed,
      eventType,
      body: {
        id: installationAri(newInstallation.installation),
        installerAccountId: siteAdmin.accountId,
        app: { id: appAri(platform.appId), version: String(newInstallation.version) },
        context: siteAri(cloudId),
      },
    });
    log.info(`Installed ${keyOf(platform)} on Forge.`);
  }

  return {
    cloudId,
    installed,
    known: () => (installed() ? app : undefined),
    state() {
      if (installed()) return { state: 'installed', key: app.key, name: app.name };
      const reason = isReachable ? 'Uninstalled.' : `Waiting for the app's server at ${platform.remoteUrl}.`;
      return { state: 'absent', reason };
    },
    async check() {
      const storedInstallation = installations.get(CURRENT);
      if (storedInstallation && (storedInstallation.removed || storedInstallation.digest === platform.digest))
        return true;
      isReachable =
        (await addon.check()) &&
        (await ask(platform.remoteUrl).then(
          () => true,
          () => false,
        ));
      if (isReachable) await install(storedInstallation ? 'avi:forge:upgraded:app' : 'avi:forge:installed:app');
      return isReachable;
    },
    install: () => install('avi:forge:installed:app'),
    async uninstall() {
      const storedInstallation = installations.get(CURRENT);
      const current = installed();
      if (!storedInstallation || !current) return;
      for (const { key, endpoint } of platform.manifest.modules.preUninstall) {
        await callRemote(platform, current, {
          ...{ endpoint, module: { type: 'preUninstall', key }, method: 'POST', path: events.pathOf(endpoint) },
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ context: { cloudId, moduleKey: key } }),
          seconds: LAST_CALL_TIMEOUT_SECONDS,
        }).catch((error: unknown) => {
          if (!(error instanceof AddonUnreachable)) throw error;
          log.warn(`The app's server was not told that it is uninstalled: ${errorText(error)}`);
        });
      }
      await installations.put(CURRENT, { ...storedInstallation, removed: true });
      log.info(`Uninstalled ${keyOf(platform)} on Forge.`);
    },
  };
}
