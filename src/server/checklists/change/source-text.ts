import { PROPERTY_CAPACITY } from '../../../domain/constants.ts';
import { storage } from '../../../domain/messages.ts';
import { encodedSize } from '../../../domain/storage.ts';
import { isStarter, starterOf } from '../../../domain/templates/starters.ts';
import { Refused } from '../../errors/refused.ts';
import type { Tx } from '../../store/tables.ts';
import { getTemplate } from '../../templates/templates.ts';
import { projectOf } from '../project.ts';
import { type Version, versionAt } from '../revisions.ts';
import type { Site } from '../site.ts';

/** The text that a change applies. */
export interface SourceText {
  /**
   * Throws `Refused` if it was not found, or is too large, only on use: a repeated change has its earlier outcome, even if
   * the source was deleted since.
   */
  text(): string;
  /** Characters of what is applied. */
  size: number;
}

const found = (text: string): SourceText => ({ text: () => text, size: text.length });

const refusing = (refusal: Refused): SourceText => ({
  text() {
    throw refusal;
  },
  size: 0,
});

/** Texts beyond the property's capacity are refused before they are read, as typed ones are. */
function fitting(text: string, field: string): SourceText {
  const size = encodedSize(text);
  if (size <= 2 * PROPERTY_CAPACITY) return found(text);
  return refusing(new Refused('TOO_LARGE', storage.tooLarge(size, PROPERTY_CAPACITY), field));
}

/** Joins templates; a leading detail line of one does not become part of the row above. */
const joined = (texts: readonly string[]): string =>
  texts.reduce((above, text) => `${above.replace(/\n+$/, '')}\n${/^\s*>/.test(text) ? '\n' : ''}${text}`);

/** A starter as a template of the site. */
const starterTemplate = (id: string) => {
  const starter = starterOf(id);
  return starter && { project: null, text: starter.text };
};

/** The texts of templates in the given order: the app's starters, the site's, and those of the issue's project. */
export async function templateTexts(site: Site, issue: string, ids: readonly string[]): Promise<SourceText> {
  const { store, tenant } = site;
  const load = (tx: Tx) =>
    Promise.all(ids.map(id => (isStarter(id) ? starterTemplate(id) : getTemplate(tx, tenant.id, id))));
  const templates = ids.every(isStarter) ? ids.map(starterTemplate) : await store.tenant(tenant.id, load);
  const place = { tenant: tenant.id, issue };
  const project = templates.some(template => template?.project) ? await projectOf(site, place) : undefined;
  const texts = templates.flatMap(template =>
    template && (template.project === null || template.project === project) ? template.text : [],
  );
  const all = texts.length === ids.length && texts.length > 0;
  return all
    ? fitting(joined(texts), 'templateIds')
    : refusing(new Refused('NOT_FOUND', storage.templateNotFound, 'templateIds'));
}

/** A revision of the issue's checklist: its text, and the persistent ids of its rows. */
export async function revisionText(
  { store, tenant }: Site,
  issueId: string,
  version: Pick<Version, 'epoch' | 'seq'>,
): Promise<SourceText & { rows: readonly string[] }> {
  const place = { tenant: tenant.id, issue: issueId };
  const stored = await store.tenant(tenant.id, tx => versionAt(tx, place, version));
  if (!stored) return { ...refusing(new Refused('NOT_FOUND', storage.revisionNotFound, 'seq')), rows: [] };
  return { ...found(stored.text), rows: stored.rows };
}
