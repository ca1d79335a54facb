import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostForge, HostInvoked } from '../../../src/tracker/wire/forge.ts';
import type { ForgeModule } from '../../../src/tracker/wire/modules.ts';
import { ADDON_KEY } from '../addon.ts';
import { type Ask, startTracker, type TestTracker } from '../harness.ts';

export const APP_ID = '11111111-2222-4333-8444-555555555555';
export const RESOURCES = 'http://localhost:2992';
export const MANIFEST = join(import.meta.dirname, 'manifest.yml');
export const VARIABLES = { APP_ID, ADDON_KEY, REMOTE_URL: 'http://127.0.0.1:9' };

/** A tracker in memory that has installed the fake add-on by both frameworks. */
export interface ForgeTracker extends TestTracker {
  /** Changes the platform's settings. */
  set(settings: Partial<HostForge>): Promise<void>;
  modules(role: Parameters<TestTracker['as']>[0], query: string): Promise<ForgeModule[]>;
  /** `invokeRemote` of a frame on WEB-1, unless it says otherwise. */
  invoke(ask: Ask, wanted?: object): Promise<HostInvoked>;
  /** Calls the REST API through the gateway with that token. */
  gateway(token: string): Ask;
  /** The tokens of a sign-in at the app's server: its own, and the user's. */
  tokens(role?: Parameters<TestTracker['as']>[0]): Promise<{ app: string; user: string }>;
}

export async function startForge({
  manifest = MANIFEST,
  ...options
}: { manifest?: string } & Parameters<typeof startTracker>[0] = {}): Promise<ForgeTracker> {
  const dist = await mkdtemp(join(tmpdir(), 'forge-'));
  await mkdir(join(dist, 'assets'));
  const page = '<!doctype html><html lang="en"><head><title>App</title></head><body></body></html>';
  await writeFile(join(dist, 'index.html'), page);
  await writeFile(join(dist, 'assets/main.js'), 'export {};');
  await writeFile(join(dist, 'assets/main.js.map'), '{}');
  const forge = {
    ...{ appId: APP_ID, environment: 'PRODUCTION' as const, manifest, variables: VARIABLES, dist },
    resourcePort: Number(new URL(RESOURCES).port),
  };
  const site = await startTracker({ eventPauses: [0, 0, 0, 0], ...options, forge });
  const admin = site.as('site-admin');
  const signIn = { place: 'issue-context', key: 'checklist-context', issueKey: 'WEB-1', path: '/api/forge/session' };
  const invoke: ForgeTracker['invoke'] = async (ask, wanted = {}) =>
    (await ask('POST', '/host/forge/invoke', { json: { ...signIn, ...wanted } })).body as HostInvoked;
  return {
    ...site,
    invoke,
    set: async settings => void (await admin('PUT', '/host/forge', { json: settings })),
    modules: async (role, query) =>
      (await site.as(role)('GET', `/host/modules?framework=forge&${query}`)).body as ForgeModule[],
    gateway: token => (method, url, asked) => {
      const { cloudId } = site.tracker.forge?.app ?? {};
      const headers = { authorization: `Bearer ${token}`, ...asked?.headers };
      return site.anonymous(method, `/forge-gateway/ex/jira/${cloudId}${url}`, { ...asked, headers });
    },
    async tokens(role = 'editor') {
      await invoke(site.as(role));
      const [call] = await site.addon.next('/api/forge/session');
      const { 'x-forge-oauth-system': app, 'x-forge-oauth-user': user } = call?.headers ?? {};
      return { app: String(app), user: String(user) };
    },
    async close() {
      await site.close();
      await rm(dist, { recursive: true, force: true });
    },
  };
}
