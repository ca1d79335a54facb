import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import type { Limits } from '../../domain/edition.ts';
import { fieldErrors, NAME_MAX, validateName } from '../../domain/fields.ts';
import { limitReached, templates as messages } from '../../domain/messages.ts';
import { encodedSize } from '../../domain/storage.ts';
import { cleanName, cleanText } from '../../text/document.ts';
import { readChecklist } from '../../text/read.ts';
import { normalName } from '../../text/status-registry.ts';
import { Refused } from '../errors/refused.ts';
import type { Tx } from '../store/tables.ts';
import { countTemplates, namedTemplates, templateKeys } from './templates.ts';

/** A name in stored form. Throws `Refused` for an invalid one. */
export function templateName(typed: string): string {
  const name = cleanName(typed);
  const code = validateName(name);
  if (code) throw new Refused(code, fieldErrors[code], 'name');
  return name;
}

/** UTF-16 units of the property besides the text. */
const OVERHEAD = 500;

/** Throws `Refused` where a text exceeds an issue's property. */
export function requireSize(text: string, field = 'text'): void {
  const size = encodedSize(text);
  const most = PROPERTY_CAPACITY - OVERHEAD;
  if (size > most) throw new Refused('TOO_LARGE', messages.tooLarge(size, most), field);
}

/** A text in stored form. Throws `Refused` where it has no row, or exceeds an issue's property. */
export function templateText(typed: string): string {
  requireSize(typed);
  const { text } = cleanText(typed);
  if (readChecklist(text).rows.length > 0) return text;
  throw new Refused('CHECKLIST_REQUIRED', fieldErrors.CHECKLIST_REQUIRED, 'text');
}

/** Throws `Refused` where another template of the scope has the name. */
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

/** Throws `Refused` where the scope has the edition's most templates. */
export async function requireRoom(
  tx: Tx,
  tenant: string,
  project: string | null,
  limits: TemplateLimits,
): Promise<void> {
  const most = mostOf(limits, project);
  if (most === Number.POSITIVE_INFINITY || (await countTemplates(tx, tenant, project)) < most) return;
  throw new Refused('LIMIT_REACHED', noRoom(project), 'project');
}

export const noRoom = (project: string | null): string =>
  project === null ? limitReached.globalTemplates : limitReached.projectTemplates;

/**
 * Names that differ from these keys (`normalName`) and from each other: `Name (2)`, cut to the maximum length. Linear for
 * many equal names: a number that was given is not tried again.
 */
export function createNames(taken: Set<string>): (name: string, first: string) => string {
  const next = new Map<string, number>();
  return (name, first) => {
    const characters = Array.from(name);
    for (let number = 1; ; ) {
      const mark = number === 1 ? first : ` (${first ? `${first.trim().slice(1, -1)} ` : ''}${number})`;
      const stem = characters.slice(0, NAME_MAX - mark.length).join('');
      const [group, key] = [normalName(stem), normalName(stem + mark)];
      const untried = next.get(group) ?? 1;
      if (untried > number) {
        number = untried;
        continue;
      }
      number += 1;
      next.set(group, number);
      if (taken.has(key)) continue;
      taken.add(key);
      return stem + mark;
    }
  };
}

/** A name that no template of the scope has. */
export async function freeName(
  tx: Tx,
  tenant: string,
  { project, name, first }: { project: string | null; name: string; first: string },
): Promise<string> {
  return createNames(await templateKeys(tx, tenant, project))(name, first);
}
