import type { Limits } from '../../domain/edition.ts';
import { fieldErrors, NAME_MAX, validateName } from '../../domain/fields.ts';
import { limitReached } from '../../domain/messages.ts';
import { cleanName } from '../../text/document.ts';
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

/** Throws `Refused` if another template of the scope has the name. */
export async function requireFree(
  tx: Tx,
  tenant: string,
  { id, project, name }: { id?: string; project: string | null; name: string },
): Promise<void> {
  const conflictingIds = (await namedTemplates(tx, tenant, project, name)).filter(each => each !== id);
  if (conflictingIds.length > 0) throw new Refused('NOT_UNIQUE', fieldErrors.NOT_UNIQUE, 'name');
}

export type TemplateLimits = Pick<Limits, 'globalTemplates' | 'projectTemplates'>;

export const maxTemplatesOf = (
  { globalTemplates, projectTemplates }: TemplateLimits,
  project: string | null,
): number => (project === null ? globalTemplates : projectTemplates);

/** Throws `Refused` if the scope has the edition's most templates. */
export async function requireRoom(
  tx: Tx,
  tenant: string,
  project: string | null,
  limits: TemplateLimits,
): Promise<void> {
  const most = maxTemplatesOf(limits, project);
  if (most === Number.POSITIVE_INFINITY || (await countTemplates(tx, tenant, project)) < most) return;
  throw new Refused('LIMIT_REACHED', noRoom(project), 'project');
}

export const noRoom = (project: string | null): string =>
  project === null ? limitReached.globalTemplates : limitReached.projectTemplates;

/**
 * Names that differ from these keys (`normalName`) and from each other: `Name (2)`, cut to the maximum length. Linear for
 * many equal names: a number that was given is not tried again.
 */
export function createNames(usedNames: Set<string>): (name: string, first: string) => string {
  const next = new Map<string, number>();
  return (name, first) => {
    const characters = Array.from(name);
    /** The names with marks as long as this one: what stands before the number, and the same of their keys. */
    const namesOf = (mark: string, end: string) => {
      const stem = characters.slice(0, NAME_MAX - mark.length).join('');
      const before = (whole: string) => whole.slice(0, whole.length - end.length);
      return { group: normalName(stem), name: before(stem + mark), key: before(normalName(stem + mark)) };
    };
    const open = first ? ` (${first.trim().slice(1, -1)} ` : ' (';
    for (let number = 1, digits = 0, same = namesOf(first, ''); ; ) {
      const end = number === 1 ? '' : `${number})`;
      if (end.length !== digits) same = namesOf(number === 1 ? first : open + end, end);
      digits = end.length;
      const untried = next.get(same.group) ?? 1;
      if (untried > number) {
        number = untried;
        continue;
      }
      number += 1;
      next.set(same.group, number);
      const key = same.key + end;
      if (usedNames.has(key)) continue;
      usedNames.add(key);
      return same.name + end;
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
