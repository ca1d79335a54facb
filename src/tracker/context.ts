import type { Addon } from './connect/addon.ts';
import type { Site } from './site/site.ts';
import type { Tasks } from './tasks.ts';
import type { Webhooks } from './webhooks.ts';

/** What the routes work on. */
export interface Context {
  site: Site;
  addons: readonly Addon[];
  webhooks: Webhooks;
  tasks: Tasks;
}
