import { Gauge } from 'prom-client';
import type { Metrics } from '../../monitoring/metrics.ts';
import { type AskerStore, type AskersOptions, createAskers } from './askers.ts';
import { createInvocations, type Invocations } from './invocations.ts';
import { createRequests, type Requests } from './requests.ts';
import { createSites, type Sites, type SitesOptions } from './sites.ts';

/** The server's settings for Forge. */
export interface ForgeConfig {
  FORGE_APP_ID?: string | undefined;
  FORGE_ENVIRONMENT: 'PRODUCTION' | 'STAGING' | 'DEVELOPMENT';
  FORGE_JWKS_URL: string;
  FORGE_GATEWAY: string;
  FORGE_ASK: 'asker' | 'app';
  FORGE_PAST: 'connect' | 'none';
}

/** The app on Forge. */
export interface Forge {
  invocations: Invocations;
  sites: Sites;
  /** `undefined` if the app checks permissions with its own token. */
  askers: AskerStore | undefined;
  requests: Requests;
  /** Drops expired users' tokens, and sites that have uninstalled the app. */
  prune(): Promise<void>;
}

/** Users' tokens, if the app is on Forge and checks permissions with them. */
export const askersOf = (
  { FORGE_APP_ID, FORGE_ASK, FORGE_GATEWAY }: ForgeConfig,
  options: Omit<AskersOptions, 'gateway'>,
): AskerStore | undefined =>
  FORGE_APP_ID !== undefined && FORGE_ASK === 'asker'
    ? createAskers({ ...options, gateway: FORGE_GATEWAY })
    : undefined;

export interface ForgeOptions extends Omit<SitesOptions, 'appId' | 'past'> {
  askers: AskerStore | undefined;
  metrics: Metrics;
}

/** `undefined` if the app is not on Forge. */
export function createForge(config: ForgeConfig, { askers, metrics, ...options }: ForgeOptions): Forge | undefined {
  const { FORGE_APP_ID: appId, FORGE_ENVIRONMENT, FORGE_JWKS_URL, FORGE_GATEWAY, FORGE_PAST: past } = config;
  if (appId === undefined) return undefined;
  const sites = createSites({ ...options, appId, past });
  const ending: Gauge = new Gauge({
    name: 'forge_tokens_ending',
    help: "Sites whose app's token is not good for another half hour",
    registers: [metrics.registry],
    collect: metrics.asking('forge_tokens_ending', async () => ending.set(await sites.countEnding())),
  });
  return {
    invocations: createInvocations({
      ...{ appId, environment: FORGE_ENVIRONMENT, keysUrl: FORGE_JWKS_URL, gateway: FORGE_GATEWAY },
    }),
    ...{ sites, askers },
    requests: createRequests(options.trackerOf),
    async prune() {
      await askers?.prune();
      await sites.dropSilent();
    },
  };
}
