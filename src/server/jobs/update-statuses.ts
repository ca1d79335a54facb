import { randomUUID } from 'node:crypto';
import { statuses as messages } from '../../domain/messages.ts';
import { parseChecklistProperty, storageKey } from '../../domain/storage.ts';
import { applyChanges } from '../../text/document.ts';
import { relabelling } from '../../text/edits/relabel.ts';
import type { Sliced } from '../../text/sliced.ts';
import type { StatusRegistry } from '../../text/status-registry.ts';
import { newestText } from '../checklists/revisions.ts';
import { readingText } from '../common/reading.ts';
import { inSlices } from '../common/slices.ts';
import { projectIn } from '../platform/tracker/issue.ts';
import type { FoundIssue } from '../platform/tracker/search.ts';
import type { Scope } from '../queue/wide-types.ts';
import { dropStatuses, loadStatuses, lockStatuses } from '../statuses/records.ts';
import { createRegistries } from '../statuses/registries.ts';
import { publish } from '../store/live-events.ts';
import { CALLS, fieldText, ownFields, type WideSite, type Work } from './site.ts';

const PROPERTY = storageKey('checklist');

/** Renames statuses in texts, moves items of statuses that are being deleted, and then deletes these. */
export async function statusUpdater(site: WideSite, scope: Scope): Promise<Work> {
  const { checklists, pace, store, tenant } = site;
  const stored = await store.tenant(tenant.id, tx => loadStatuses(tx, tenant.id));
  const registries = await createRegistries(store)(tenant);
  const moves = new Map(stored.flatMap(({ slug, movesTo }) => (movesTo === null ? [] : [[slug, movesTo] as const])));
  const own = ownFields(site);

  function* updated(text: string, statuses: StatusRegistry): Sliced<string> {
    return applyChanges(text, yield* relabelling(yield* readingText(text, statuses), moves));
  }

  /** A checklist's text: from the database, else from the tracker's copies, which may be older. */
  async function textOf({ id, properties, fields }: FoundIssue): Promise<string | undefined> {
    const known = await store.tenant(tenant.id, tx => newestText(tx, { tenant: tenant.id, issue: id }));
    if (known !== undefined) return known;
    const property = parseChecklistProperty(properties[PROPERTY]);
    if ('text' in property) return property.text;
    return own.map(field => fieldText(fields[field])).find(text => text !== undefined);
  }

  return {
    fields: ['project', ...own],
    properties: [PROPERTY],
    async each(issue) {
      const text = await textOf(issue);
      const statuses = registries.of(projectIn(issue.fields));
      if (!text?.includes('[') || (await inSlices(updated(text, statuses))) === text) return { outcome: 'skipped' };
      await pace(CALLS.change);
      await checklists.rewrite({ issueId: issue.id, clientId: randomUUID(), kind: 'bringStatuses', apply: updated });
      return { outcome: 'done', message: messages.issueRenamed };
    },
    async finish(tx) {
      const project = scope.kind === 'project' ? scope.id : null;
      const going = stored.filter(status => status.going && status.project === project).map(({ slug }) => slug);
      if (going.length === 0) return;
      await lockStatuses(tx, tenant.id);
      await dropStatuses(tx, tenant.id, going);
      await publish(tx, tenant.id, { kind: 'statuses' });
    },
  };
}
