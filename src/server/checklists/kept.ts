import { storage } from '../../domain/messages.ts';
import { Refused } from '../refused.ts';
import { getTemplate } from '../templates/templates.ts';
import { readProject } from '../tracker/issue.ts';
import { type Version, versionAt } from './revisions.ts';
import type { Site } from './site.ts';

/**
 * A text that was looked up for a change. Throws `Refused` if there was none: only when it is used, since a change that
 * was made already is answered as it was, whatever became since of what it was made from.
 */
export type KeptText = () => string;

const kept =
  (text: string | undefined, message: string, field: string): KeptText =>
  () => {
    if (text === undefined) throw new Refused('NOT_FOUND', message, field);
    return text;
  };

/** The text of a template that is for this issue: the site's, or one of the issue's project. */
export async function templateText({ store, tenant, tracker }: Site, issueId: string, id: string): Promise<KeptText> {
  const template = await store.tenant(tenant.id, tx => getTemplate(tx, tenant.id, id));
  const here = !template?.project || template.project === (await readProject(tracker, issueId)).id;
  return kept(here ? template?.text : undefined, storage.templateNotFound, 'templateId');
}

/** A version of this issue's checklist: its text, and the lasting ids of its rows. */
export async function revisionText(
  { store, tenant }: Site,
  issueId: string,
  version: Pick<Version, 'epoch' | 'seq'>,
): Promise<{ text: KeptText; rows: readonly string[] }> {
  const place = { tenant: tenant.id, issue: issueId };
  const found = await store.tenant(tenant.id, tx => versionAt(tx, place, version));
  return { text: kept(found?.text, storage.revisionNotFound, 'seq'), rows: found?.rows ?? [] };
}
