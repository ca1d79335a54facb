import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import type { Limits } from '../../domain/edition.ts';
import { fieldErrors, NAME_MAX, validateName } from '../../domain/fields.ts';
import { limitReached, templates as messages } from '../../domain/messages.ts';
import { encodedSize } from '../../domain/storage.ts';
import { cleanText } from '../../text/document.ts';
import { readChecklist } from '../../text/read.ts';
import { Refused } from '../errors/refused.ts';
import type { Tx } from '../store/tables.ts';
import { countTemplates, namedTemplates } from './templates.ts';

/** A name as it is stored. Throws `Refused` where it is none. */
export function templateName(typed: string): string {
  const name = cleanText(typed).text.trim().replace(/\s+/g, ' ');
  const code = validateName(name);
  if (code) throw new Refused(code, fieldErrors[code], 'name');
  return name;
}

/** What the property says of itself, which a template's text must leave room for. */
const AROUND = 500;

/** A text as it is stored. Throws `Refused` where it has no row, or could not be put on any issue. */
export function templateText(typed: string): string {
  const size = encodedSize(typed);
  const most = PROPERTY_CAPACITY - AROUND;
  if (size > most) throw new Refused('TOO_LARGE', messages.tooLarge(size, most), 'text');
  const { text } = cleanText(typed);
  if (readChecklist(text).rows.length > 0) return text;
  throw new Refused('CHECKLIST_REQUIRED', fieldErrors.CHECKLIST_REQUIRED, 'text');
}

/** Throws `Refused` where another template of that scope has the name. */
export async function requireFree(
  tx: Tx,
  tenant: string,
  { id, project, name }: { id?: string; project: string | null; name: string },
): Promise<void> {
  const others = (await namedTemplates(tx, tenant, project, name)).filter(each => each !== id);
  if (others.length > 0) throw new Refused('NOT_UNIQUE', fieldErrors.NOT_UNIQUE, 'name');
}

export type TemplateLimits = Pick<Limits, 'globalTemplates' | 'projectTemplates'>;

export const mostOf = ({ globalTemplates, projectTemplates }: TemplateLimits, project: string | null): number =>
  project === null ? globalTemplates : projectTemplates;

/** Throws `Refused` where the edition holds no more templates of that scope. */
export async function requireRoom(
  tx: Tx,
  tenant: string,
  project: string | null,
  limits: TemplateLimits,
): Promise<void> {
  const most = mostOf(limits, project);
  if (most === Number.POSITIVE_INFINITY || (await countTemplates(tx, tenant, project)) < most) return;
  const message = project === null ? limitReached.globalTemplates : limitReached.projectTemplates;
  throw new Refused('LIMIT_REACHED', message, 'project');
}

/** A name, told apart from those that are taken: `Name (2)`; never longer than a name may be. */
export async function freeName(
  tx: Tx,
  tenant: string,
  { project, name, first }: { project: string | null; name: string; first: string },
): Promise<string> {
  const characters = Array.from(name);
  for (let number = 1; ; number += 1) {
    const mark = number === 1 ? first : ` (${first ? `${first.trim().slice(1, -1)} ` : ''}${number})`;
    const told = characters.slice(0, NAME_MAX - mark.length).join('') + mark;
    if ((await namedTemplates(tx, tenant, project, told)).length === 0) return told;
  }
}
