import {
  type ChecklistChange,
  type ChecklistEdit,
  DISPLAY_NAME_MAX,
  displayNames,
  keepsRows,
  rowIdsAfter,
  type TemplatePlace,
  typedTexts,
  valueCount,
} from '../../../domain/change.ts';
import { PROPERTY_CAPACITY } from '../../../domain/constants.ts';
import { fieldErrors, validateName } from '../../../domain/fields.ts';
import { storage, templates } from '../../../domain/messages.ts';
import { encodedSize } from '../../../domain/storage.ts';
import { demoTemplate } from '../../../domain/templates.ts';
import { applyChanges, cleanName } from '../../../text/document.ts';
import { applyTemplate } from '../../../text/edits.ts';
import { performing } from '../../../text/perform.ts';
import type { Sliced } from '../../../text/sliced.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import { readingText } from '../../common/reading.ts';
import { Refused } from '../../errors/refused.ts';
import { templateUsesOf } from '../../templates/uses.ts';
import type { Site } from '../site.ts';
import type { ChangeOutcome, ChangeRequest, PreparedChange } from '../types.ts';
import { convertItem } from './convert.ts';
import { revisionText, templateTexts } from './source-text.ts';

/** Most rows of one change, and most of their values; a section is moved by its header. */
export const MOST_ROWS = 1_000;
/** Most templates of one change. */
const MOST_TEMPLATES = 20;

/** The name and length of an edit's list of rows. */
function rowsOf(edit: ChecklistChange): [string, number] | undefined {
  if (edit.kind === 'moveChecklistItem') return ['targets', edit.targets.length];
  return edit.kind === 'changeChecklistItems' ? ['edits', edit.edits.length] : undefined;
}

/** Refuses texts beyond the property's capacity before they are parsed. */
export function refuseOversized({ edit, base }: ChangeRequest): void {
  const undecided = edit.kind === 'updateChecklistFromText' ? (edit.undecided ?? []) : [];
  const texts = [base.text ?? '', typedTexts(edit).join(''), undecided.map(({ value }) => value).join('')];
  const size = Math.max(...texts.map(encodedSize));
  if (size > 2 * PROPERTY_CAPACITY) throw new Refused('TOO_LARGE', storage.tooLarge(size, PROPERTY_CAPACITY), 'text');
  if (edit.kind === 'applyTemplateToChecklist') {
    const { templateIds } = edit;
    if (templateIds.length === 0) throw new Refused('REQUIRED', fieldErrors.REQUIRED, 'templateIds');
    if (templateIds.length > MOST_TEMPLATES)
      throw new Refused('TOO_LARGE', templates.tooMany(MOST_TEMPLATES), 'templateIds');
  }
  if (displayNames(edit).some(({ length }) => length > DISPLAY_NAME_MAX))
    throw new Refused('TOO_LONG', storage.nameTooLong(DISPLAY_NAME_MAX), 'names');
  const [field, rows] = rowsOf(edit) ?? [undefined, 1];
  if (rows === 0) throw new Refused('REQUIRED', fieldErrors.REQUIRED, field);
  if (rows > MOST_ROWS) throw new Refused('TOO_LARGE', storage.tooManyRows(MOST_ROWS), field);
  if (valueCount(edit) > MOST_ROWS) throw new Refused('TOO_LARGE', storage.tooManyValues(MOST_ROWS), field ?? 'values');
}

/** Applies an edit to its base text. Throws `Refused` or the edit's own typed errors. */
function* applyEdit(base: string, edit: ChecklistEdit, statuses: StatusRegistry): Sliced<string> {
  const text = yield* performing(yield* readingText(base, statuses), edit);
  const { rows } = yield* readingText(text, statuses, base);
  if (edit.kind !== 'updateChecklistFromText' || rows.length > 0) return text;
  throw new Refused('CHECKLIST_REQUIRED', fieldErrors.CHECKLIST_REQUIRED, 'text');
}

function* placed(
  base: string,
  template: string,
  { mode, section }: TemplatePlace,
  statuses: StatusRegistry,
): Sliced<string> {
  const place = { replace: mode === 'REPLACE', ...(section && { header: section }) };
  const checklist = yield* readingText(base, statuses);
  yield;
  const text = applyChanges(base, applyTemplate(checklist, template, place));
  yield* readingText(text, statuses, base);
  return text;
}

/** Changes of the text only, without other effects in the tracker. */
export type TextChanging = Exclude<ChecklistChange, { kind: 'convertItemToIssue' }>;

/** The function that a change applies to its base, after loading templates and revisions. */
async function effectOf(
  site: Site,
  issueId: string,
  edit: TextChanging,
): Promise<Pick<PreparedChange, 'apply' | 'rows' | 'undecided' | 'keepsRows' | 'size'>> {
  switch (edit.kind) {
    case 'applyDemoTemplateToChecklist':
      return { apply: (base, statuses) => placed(base, demoTemplate.text, edit, statuses) };
    case 'applyTemplateToChecklist': {
      const { text, size } = await templateTexts(site, issueId, edit.templateIds);
      return { apply: (base, statuses) => placed(base, text(), edit, statuses), size };
    }
    case 'restoreChecklistRevision': {
      const { text, rows, size } = await revisionText(site, issueId, edit);
      return { apply: text, rows: () => rows, size };
    }
    default:
      return {
        apply: (base, statuses) => applyEdit(base, edit, statuses),
        rows: base => rowIdsAfter(edit, base),
        ...(edit.kind === 'updateChecklistFromText' && { undecided: edit.undecided }),
        ...(keepsRows(edit) && { keepsRows: true }),
      };
  }
}

/** The checklist's new name in stored form; `undefined` if the edit does not change it. */
function nameOf(edit: ChecklistChange): string | undefined {
  if (edit.kind !== 'updateChecklistFromText' || edit.name === undefined) return undefined;
  const name = cleanName(edit.name);
  const code = validateName(name);
  if (code) throw new Refused(code, fieldErrors[code], 'name');
  return name;
}

/** How much text a change of a row without text of its own counts for. */
const ROW_CHARS = 32;
const sizeOf = (edit: ChecklistChange): number =>
  typedTexts(edit).join('').length + ROW_CHARS * (rowsOf(edit)?.[1] ?? 0);

/** A change request, and what its author may not do or wants to see. */
export interface MadeRequest extends ChangeRequest, Pick<PreparedChange, 'addsNoRows'> {
  /** Runs with the base and the text that the change makes of it; may throw `Refused`. */
  check?: (base: string, text: string, statuses: StatusRegistry) => Sliced<void>;
}

/** Prepares a change that only changes the text: loads what it applies. */
export async function prepareChange(
  site: Site,
  { edit, ...request }: MadeRequest & { edit: TextChanging },
): Promise<PreparedChange> {
  const { issueId, clientId, base, addsNoRows = false, check } = request;
  const { size: loaded = 0, ...effect } = await effectOf(site, issueId, edit);
  const log = 'log' in edit ? edit.log : undefined;
  const size = sizeOf(edit) + loaded + (base.text?.length ?? 0);
  const given = { name: nameOf(edit), uses: templateUsesOf(edit), log, size };
  function* apply(...given: Parameters<PreparedChange['apply']>): Sliced<string> {
    const [text, statuses] = given;
    const applied = effect.apply(...given);
    const mine = typeof applied === 'string' ? applied : yield* applied;
    if (check) yield* check(text, mine, statuses);
    return mine;
  }
  return { issueId, clientId, base, kind: edit.kind, addsNoRows, ...given, ...effect, apply };
}

/** Makes a permitted change, once for each client id. */
export async function makeChange(site: Site, account: string, request: MadeRequest): Promise<ChangeOutcome> {
  refuseOversized(request);
  const { edit } = request;
  if (edit.kind === 'convertItemToIssue') return convertItem(site, account, request, edit);
  return site.changes({ site, account, change: await prepareChange(site, { ...request, edit }) });
}
