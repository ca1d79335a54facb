import type { App } from './apps.ts';
import type { Addon } from './connect/addon.ts';
import type { Events } from './forge/events.ts';
import type { ForgeApp } from './forge/installation.ts';
import type { Panels } from './forge/panels.ts';
import type { ForgePlatform } from './forge/platform.ts';
import type { Outbox } from './outbox.ts';
import type { Site } from './site/site.ts';
import type { Tasks } from './tasks.ts';
import type { Webhooks } from './webhooks.ts';

/** The Forge app of a site and its platform. */
export interface Forge {
  platform: ForgePlatform;
  app: ForgeApp;
  events: Events;
  panels: Panels;
}

/** The services of the routes. */
export interface Context {
  site: Site;
  addons: readonly Addon[];
  /** The installed ones, those of Connect first. */
  apps(): readonly App[];
  /** The Forge app, if the tracker has one. */
  forge: Forge | undefined;
  webhooks: Webhooks;
  tasks: Tasks;
  outbox: Outbox;
}
