import { DISPLAY_NAME_MAX, displayNames, typedTexts, valueCount } from '../../../domain/change.ts';
import { PROPERTY_CAPACITY } from '../../../domain/constants.ts';
import { fieldErrors } from '../../../domain/fields.ts';
import { storage, templates } from '../../../domain/messages.ts';
import { encodedSize } from '../../../domain/storage.ts';
import { isStarter, starterOf } from '../../../domain/templates/starters.ts';
import { Refused, refusalOf, TooLarge } from '../../errors/refused.ts';
import type { Tx } from '../../store/tables.ts';
import { getTemplate } from '../../templates/templates.ts';
import { rowListOf } from '../decide/edit.ts';
import type { AcceptedChange, Edit, Proposal, SourceText } from '../decide/types.ts';
import { projectOf } from '../read/project.ts';
import { versionAt } from '../read/revisions.ts';
import type { Site } from '../service/site.ts';
import type { ChangeRequest } from '../service/types.ts';
import type { Work } from './commit.ts';
import { convertItem } from './conversions.ts';

/** How many rows one change may have, and how many of their values. A section is moved by its header. */
export const MAX_ROWS = 1_000;
const MAX_TEMPLATES = 20;

/** Texts beyond this size are refused before they are read. */
const MAX_READ_SIZE = 2 * PROPERTY_CAPACITY;

/** Throws `Refused` for changes that are too large to be read. */
function refuseOversized({ edit, base }: ChangeRequest): void {
  const undecided = edit.kind === 'updateChecklistFromText' ? (edit.undecided ?? []) : [];
  const texts = [base.text ?? '', typedTexts(edit).join(''), undecided.map(({ value }) => value).join('')];
  const size = Math.max(...texts.map(encodedSize));
  if (size > MAX_READ_SIZE) throw new TooLarge(size);
  if (edit.kind === 'applyTemplateToChecklist') {
    const { templateIds } = edit;
    if (templateIds.length === 0) throw new Refused('REQUIRED', fieldErrors.REQUIRED, 'templateIds');
    if (templateIds.length > MAX_TEMPLATES)
      throw new Refused('TOO_LARGE', templates.tooMany(MAX_TEMPLATES), 'templateIds');
  }
  if (displayNames(edit).some(({ length }) => length > DISPLAY_NAME_MAX))
    throw new Refused('TOO_LONG', storage.nameTooLong(DISPLAY_NAME_MAX), 'names');
  const [field, rows] = rowListOf(edit) ?? [undefined, 1];
  if (rows === 0) throw new Refused('REQUIRED', fieldErrors.REQUIRED, field);
  if (rows > MAX_ROWS) throw new Refused('TOO_LARGE', storage.tooManyRows(MAX_ROWS), field);
  if (valueCount(edit) > MAX_ROWS) throw new Refused('TOO_LARGE', storage.tooManyValues(MAX_ROWS), field ?? 'values');
}

/** A source that was not found or is too large is refused by the decision: a repeated change has its earlier outcome. */
const missing = (refusal: Refused): SourceText => ({ refusal: refusalOf(refusal) });

/** Joins templates; a leading detail line of one does not become part of the row above. */
const joinTemplates = (texts: readonly string[]): string =>
  texts.reduce((above, text) => `${above.replace(/\n+$/, '')}\n${/^\s*>/.test(text) ? '\n' : ''}${text}`);

/** A starter as a template of the site. */
const starterTemplate = (id: string) => {
  const starter = starterOf(id);
  return starter && { project: null, text: starter.text };
};

/** Loads the texts of templates in the given order: the app's starters, the site's, and those of the issue's project. */
async function loadTemplates(site: Site, issue: string, ids: readonly string[]): Promise<SourceText> {
  const { store, tenant } = site;
  const load = (tx: Tx) =>
    Promise.all(ids.map(id => (isStarter(id) ? starterTemplate(id) : getTemplate(tx, tenant.id, id))));
  const loaded = ids.every(isStarter) ? ids.map(starterTemplate) : await store.tenant(tenant.id, load);
  const place = { tenant: tenant.id, issue };
  const project = loaded.some(template => template?.project) ? await projectOf(site, place) : undefined;
  const texts = loaded.flatMap(template =>
    template && (template.project === null || template.project === project) ? template.text : [],
  );
  if (texts.length !== ids.length || texts.length === 0)
    return missing(new Refused('NOT_FOUND', storage.templateNotFound, 'templateIds'));
  const text = joinTemplates(texts);
  const size = encodedSize(text);
  return size > MAX_READ_SIZE ? missing(new TooLarge(size, 'templateIds')) : { text, rows: [] };
}

/** Loads a revision of the issue's checklist with its rows' persistent ids. */
async function loadRevision(
  { store, tenant }: Site,
  issue: string,
  position: { epoch: string; seq: number },
): Promise<SourceText> {
  const version = await store.tenant(tenant.id, tx => versionAt(tx, { tenant: tenant.id, issue }, position));
  if (!version) return missing(new Refused('NOT_FOUND', storage.revisionNotFound, 'seq'));
  return { text: version.text, rows: version.rows };
}

/** The edit of a request, with the texts that it applies. */
async function loadEdit(site: Site, { issueId, edit }: ChangeRequest): Promise<Edit> {
  if (edit.kind === 'applyTemplateToChecklist')
    return { ...edit, source: await loadTemplates(site, issueId, edit.templateIds) };
  if (edit.kind === 'restoreChecklistRevision') return { ...edit, source: await loadRevision(site, issueId, edit) };
  return edit;
}

/** A change request, with its author's missing permissions and wishes for the answer. */
export interface PermittedRequest extends ChangeRequest, Pick<Proposal, 'addsNoRows' | 'findings'> {}

/** Makes a request plain data with all texts that it applies. Rejects with `Refused` if it is too large to be read. */
export async function workOf(site: Site, account: string, request: PermittedRequest): Promise<Work> {
  refuseOversized(request);
  const { issueId: issue, clientId, base, addsNoRows = false, findings } = request;
  const edit = await loadEdit(site, request);
  // A conversion adds a key to a row, after the issue was created.
  const conditions = edit.kind === 'convertItemToIssue' ? {} : { addsNoRows, findings };
  return { site, issue, proposal: { account, clientId, base, edit, maxItems: site.itemLimit, ...conditions } };
}

/** Makes a permitted change, once for each client id. */
export async function makeChange(site: Site, account: string, request: PermittedRequest): Promise<AcceptedChange> {
  const work = await workOf(site, account, request);
  const { edit } = request;
  return edit.kind === 'convertItemToIssue' ? convertItem(work, edit) : site.changes(work);
}
