import { PAGE } from '../../domain/api/schemas.ts';
import { settings } from '../../domain/messages.ts';
import { Refused } from '../errors/refused.ts';
import type { Store } from '../store/store.ts';
import { usableTemplates } from '../templates/templates.ts';
import type { Handler } from './handlers.ts';

/** Lists the templates of the site and of a project, the default one first, then by name. */
export const templatesHandler =
  (store: Pick<Store, 'tenant'>): Handler<'listTemplates'> =>
  async ({ caller: { tenant, projects }, query: { projectId = null, first = PAGE.usual, after = '0' } }) => {
    if (projectId !== null && projects?.has(projectId) === false) {
      throw new Refused('NOT_FOUND', settings.noProject, 'projectId');
    }
    const all = await store.tenant(tenant.id, tx => usableTemplates(tx, tenant.id, projectId));
    const start = Number(after);
    const templates = all.slice(start, start + first).map(({ id, name, project, items, text, updated }) => ({
      ...{ id, name, projectId: project, items, text },
      updated: updated.toISOString(),
    }));
    return { body: { templates, next: start + first < all.length ? String(start + first) : null } };
  };
