import { revisionOf } from '../../../domain/api/revision.ts';
import { PAGE_SIZES } from '../../../domain/api/schemas.ts';
import { settings } from '../../../domain/messages.ts';
import { percentOf } from '../../../text/progress.ts';
import type { ChecklistService } from '../../checklists/service/checklists.ts';
import { Refused } from '../../errors/refused.ts';
import type { Store } from '../../store/store.ts';
import { usableTemplates } from '../../templates/usable.ts';
import type { Handlers } from './handlers.ts';
import { issueView } from './view.ts';

export interface ListHandlersOptions {
  store: Pick<Store, 'tenant'>;
  checklists: Pick<ChecklistService, 'asApp'>;
}

/** Lists by page, of the projects that the token is for. */
export const listHandlers = ({
  store,
  checklists,
}: ListHandlersOptions): Pick<Handlers, 'searchChecklists' | 'listTemplates'> => ({
  async searchChecklists({ caller, query: { first = PAGE_SIZES.usual, ...filters } }) {
    const within = caller.projects && [...caller.projects];
    const foundPage = await checklists.asApp(caller).search({ ...filters, first, within });
    const list = foundPage.checklists.map(({ issue, key, project, items: total, open, mandatory, due, ...stamp }) => ({
      issue: issueView({ id: issue, key, project }),
      revision: revisionOf(stamp),
      name: stamp.name,
      progress: {
        ...{ total, checked: total - open, mandatoryOpen: mandatory },
        percent: percentOf(total - open, total),
      },
      ...{ open, due },
    }));
    return { body: { checklists: list, next: foundPage.next } };
  },

  async listTemplates({
    caller: { tenant, projects },
    query: { projectId = null, first = PAGE_SIZES.usual, after = '0' },
  }) {
    if (projectId !== null && projects?.has(projectId) === false) {
      throw new Refused('NOT_FOUND', settings.noProject, 'projectId');
    }
    const start = Number(after);
    const page = { first: first + 1, skip: start };
    const foundTemplates = await store.tenant(tenant.id, tx => usableTemplates(tx, tenant.id, projectId, page));
    const templates = foundTemplates.slice(0, first).map(({ id, name, project, items, text, updated }) => ({
      ...{ id, name, projectId: project, items, text },
      updated: updated.toISOString(),
    }));
    return { body: { templates, next: foundTemplates.length > first ? String(start + first) : null } };
  },
});
