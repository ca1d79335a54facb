import { fieldErrors } from '../../domain/fields.ts';
import { cleanName } from '../../text/document.ts';
import { normalName } from '../../text/status-registry.ts';
import { type StatusProblemCode, statusProblems } from '../../text/statuses/problems.ts';
import { Refused } from '../errors/refused.ts';
import type { StoredStatus } from './records.ts';

const codes: Partial<Record<StatusProblemCode, 'REQUIRED' | 'TOO_LONG' | 'UNWRITABLE_STATUS'>> = {
  NAME_REQUIRED: 'REQUIRED',
  NAME_TOO_LONG: 'TOO_LONG',
  NAME_CHARACTERS: 'UNWRITABLE_STATUS',
};

/** A name in stored form. Throws `Refused` if it cannot be a label. */
export function statusName(typed: string): string {
  const name = cleanName(typed);
  for (const { code, message } of statusProblems([{ slug: '', name, checked: false, color: 'gray' }])) {
    const refusal = codes[code];
    if (refusal) throw new Refused(refusal, refusal === 'REQUIRED' ? fieldErrors.REQUIRED : message, 'name');
  }
  return name;
}

interface NameScope {
  slug: string | undefined;
  project: string | null;
  renaming: boolean;
}

/**
 * Whether another status has the name, or, during a renaming job (`renaming`), had it. A project's name must be unique in
 * the project and on the site, a site's name everywhere.
 */
export function isNameTaken(
  name: string,
  stored: readonly StoredStatus[],
  { slug, project, renaming }: NameScope,
): boolean {
  const wantedName = normalName(name);
  return stored.some(status => {
    if (status.slug === slug) return false;
    if (project !== null && status.project !== null && status.project !== project) return false;
    return [status.name, ...(renaming ? status.former : [])].some(each => normalName(each) === wantedName);
  });
}

/** Throws `Refused` if the name is taken. */
export function requireFree(name: string, stored: readonly StoredStatus[], place: NameScope): void {
  if (isNameTaken(name, stored, place)) throw new Refused('NOT_UNIQUE', fieldErrors.NOT_UNIQUE, 'name');
}

/** A unique slug for a new status, made from its name. */
export function slugFor(name: string, stored: readonly StoredStatus[]): string {
  const base =
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 24) || 'status';
  const usedSlugs = new Set(stored.map(({ slug }) => slug));
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? base : `${base}_${number}`;
    if (!usedSlugs.has(slug)) return slug;
  }
}
