import { randomUUID } from 'node:crypto';
import { statuses as messages } from '../../domain/messages.ts';
import { parseChecklistProperty, storageKey } from '../../domain/storage.ts';
import { newestText } from '../checklists/read/revisions.ts';
import { projectIn } from '../platform/tracker/issue.ts';
import type { FoundIssue } from '../platform/tracker/search.ts';
import type { Scope } from '../queue/wide-types.ts';
import { dropStatuses, loadStatuses, lockStatuses, movesOf } from '../statuses/records.ts';
import { createRegistries, noteRegistries, siteStatuses } from '../statuses/registries.ts';
import { publish } from '../store/live-events.ts';
import { relabelTemplates } from '../templates/status-texts.ts';
import { relabelledTexts } from '../templates/text-tasks.ts';
import { CALLS, fieldText, ownFields, type WideSite, type Work } from './site.ts';

const PROPERTY = storageKey('checklist');

const projectOf = (scope: Scope): string | null => (scope.kind === 'project' ? scope.id : null);

/** Renames statuses in the scope's templates, and moves items of statuses that are being deleted. Resolves with whether any changed. */
export async function updateTemplates({ store, tenant, texts }: WideSite, scope: Scope): Promise<boolean> {
  const stored = await store.tenant(tenant.id, tx => loadStatuses(tx, tenant.id));
  const templates = {
    store,
    tenant: tenant.id,
    project: projectOf(scope),
    statuses: siteStatuses(stored),
    run: texts.run,
  };
  return relabelTemplates(templates, movesOf(stored));
}

/** Renames statuses in texts, moves items of statuses that are being deleted, and then deletes these. */
export async function statusUpdater(site: WideSite, scope: Scope): Promise<Work> {
  const { checklists, pace, store, tenant, texts } = site;
  const stored = await store.tenant(tenant.id, tx => loadStatuses(tx, tenant.id));
  const registries = await createRegistries(store)(tenant);
  const moves = movesOf(stored);
  const ownFieldIds = ownFields(site);

  /** A checklist's text: from the database, else from the tracker's copies, which may be older. */
  async function textOf({ id, properties, fields }: FoundIssue): Promise<string | undefined> {
    const storedText = await store.tenant(tenant.id, tx => newestText(tx, { tenant: tenant.id, issue: id }));
    if (storedText !== undefined) return storedText;
    const property = parseChecklistProperty(properties[PROPERTY]);
    if ('text' in property) return property.text;
    return ownFieldIds.map(field => fieldText(fields[field])).find(text => text !== undefined);
  }

  return {
    fields: ['project', ...ownFieldIds],
    properties: [PROPERTY],
    async each(issue) {
      const text = await textOf(issue);
      if (!text?.includes('[')) return { outcome: 'skipped' };
      const statuses = registries.listOf(projectIn(issue.fields));
      const [updated] = await texts.run(relabelledTexts, [{ text, statuses, moves }]);
      if (updated === text) return { outcome: 'skipped' };
      await pace(CALLS.change);
      const edit = { kind: 'bringStatuses', moves: [...moves] } as const;
      await checklists.rewrite({ issueId: issue.id, clientId: randomUUID(), edit });
      return { outcome: 'done', message: messages.issueRenamed };
    },
    async finish(tx) {
      const project = projectOf(scope);
      const going = stored.filter(status => status.going && status.project === project).map(({ slug }) => slug);
      if (going.length === 0) return;
      await lockStatuses(tx, tenant.id);
      await dropStatuses(tx, tenant.id, going);
      await noteRegistries(tx, tenant.id);
      await publish(tx, tenant.id, { kind: 'statuses' });
    },
  };
}
