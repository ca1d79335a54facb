import type { OfferedTemplate } from '../../domain/templates.ts';
import { cleanText } from '../../text/document.ts';
import type { Tx } from '../store/tables.ts';
import { freeName } from './rules.ts';
import { defaultProjects, isTemplateId, knownTemplates, putDefault, putTemplate, takeTemplates } from './templates.ts';
import { NOBODY } from './versions.ts';

/** What a project was offered of templates in another edition. */
export interface OfferedThere {
  project: string;
  offered: readonly OfferedTemplate[];
  /** Texts by id, as many as there was room for. */
  texts: Readonly<Record<string, string>>;
  /** Id of the one that was offered first. */
  first: string | null;
}

/**
 * Adds the templates that another edition had, under their ids: one that is here already, or was and has been deleted, is
 * left alone. Answers the names of those whose texts are missing.
 */
export async function inheritTemplates(tx: Tx, tenant: string, places: readonly OfferedThere[]): Promise<string[]> {
  await takeTemplates(tx, tenant);
  const ids = places.flatMap(({ offered }) => offered.map(({ id }) => id)).filter(isTemplateId);
  const known = await knownTemplates(tx, tenant, ids);
  const lost = new Map<string, string>();
  const owners = new Map<string, string | null>();
  for (const { project: here, offered, texts } of places) {
    for (const { id, name, global } of offered) {
      if (known.has(id) || !isTemplateId(id)) continue;
      const text = texts[id];
      if (text === undefined) {
        lost.set(id, name);
        continue;
      }
      const project = global ? null : here;
      const free = await freeName(tx, tenant, { project, name: cleanText(name).text, first: '' });
      // The other edition does not say who wrote them.
      await putTemplate(tx, tenant, NOBODY, { id, project, name: free, text: cleanText(text).text });
      known.add(id);
      lost.delete(id);
      owners.set(id, project);
    }
  }
  const chosen = new Set(await defaultProjects(tx, tenant));
  for (const { first } of places) {
    const owner = first === null ? undefined : owners.get(first);
    // One of the whole site was offered first wherever a project had chosen none of its own.
    if (owner === undefined || chosen.has(owner)) continue;
    await putDefault(tx, tenant, owner, first);
    chosen.add(owner);
  }
  return [...lost.values()];
}
