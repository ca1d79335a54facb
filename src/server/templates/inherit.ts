import type { OfferedTemplate } from '../../domain/templates.ts';
import { cleanText } from '../../text/document.ts';
import type { Tx } from '../store/tables.ts';
import { agreed, type Coming, hasCome, idIn } from './inheritance.ts';
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

/** What people are to know of a taking over. */
export interface TemplatesTold {
  /** Names of templates whose texts are missing. */
  lost: string[];
  /** Names of those that say they are the whole site's, and that came for projects alone. */
  kept: string[];
}

/** A template as a project was offered it. */
type Claim = Pick<OfferedTemplate, 'name' | 'global'> & { text: string | undefined };

/** A template as it is to come here. */
type Wanted = Claim & Coming;

/**
 * What is to come. A template that the projects were offered alike as the whole site's is that; any other one is for each
 * of the projects that were offered it, under an id of its own where several were.
 */
function wantedOf(places: readonly OfferedThere[], projects: number): Wanted[] {
  const byId = new Map<string, Map<string, Claim>>();
  for (const { project, offered, texts } of places) {
    for (const { id, name, global } of offered) {
      const claims = byId.get(id) ?? new Map<string, Claim>();
      const text = Object.hasOwn(texts, id) ? texts[id] : undefined;
      if (!claims.has(project)) claims.set(project, { name, global, text });
      byId.set(id, claims);
    }
  }
  return [...byId].flatMap(([was, claims]): Wanted[] => {
    const said = places.map(({ project }) => claims.get(project));
    const name = agreed(
      said.map(claim => (claim?.global ? claim.name : undefined)),
      projects,
    );
    const texts = new Set([...claims.values()].flatMap(({ text }) => text ?? []));
    if (name !== undefined && texts.size < 2) {
      const [text] = texts;
      return [{ was, id: was, project: null, name, global: true, text }];
    }
    return [...claims].map(([project, claim]) => {
      const id = claims.size === 1 ? was : idIn(was, project);
      return { was, id, project, ...claim };
    });
  });
}

/**
 * Which one is offered first where, of those that came: a project's own where it was first there; one of the whole site
 * as the site's where all other projects had it first, else in the projects that had.
 */
function defaultsOf(
  places: readonly OfferedThere[],
  projects: number,
  came: readonly Wanted[],
): ReadonlyMap<string | null, string> {
  const keyOf = (project: string | null, was: string) => `${project ?? ''} ${was}`;
  const found = new Map(came.map(({ was, id, project }) => [keyOf(project, was), id]));
  const ownOf = ({ project, first }: OfferedThere) => found.get(keyOf(project, first ?? ''));
  const sharedOf = ({ first }: OfferedThere) => found.get(keyOf(null, first ?? ''));
  const others = places.filter(place => ownOf(place) === undefined);
  const ofSite = agreed(others.map(sharedOf), projects);
  const chosen = new Map<string | null, string>(ofSite === undefined ? [] : [[null, ofSite]]);
  for (const place of places) {
    const first = ownOf(place) ?? (ofSite === undefined ? sharedOf(place) : undefined);
    if (first !== undefined) chosen.set(place.project, first);
  }
  return chosen;
}

/**
 * Adds the templates that projects were offered in another edition; the site has so many projects in all. One that is
 * here already, or was and has been deleted, is left alone, and so is a default that was chosen here.
 */
export async function inheritTemplates(
  tx: Tx,
  tenant: string,
  places: readonly OfferedThere[],
  projects: number,
): Promise<TemplatesTold> {
  await takeTemplates(tx, tenant);
  const known = await knownTemplates(tx, tenant);
  const all = places.map(({ project }) => project);
  const told = { lost: new Set<string>(), kept: new Set<string>() };
  const came: Wanted[] = [];
  for (const template of wantedOf(places, projects)) {
    const { was, id, project, name, global, text } = template;
    if (!isTemplateId(was) || hasCome(template, known, all)) continue;
    if (text === undefined || !isTemplateId(id)) {
      told.lost.add(name);
      continue;
    }
    const free = await freeName(tx, tenant, { project, name: cleanText(name).text, first: '' });
    // The other edition does not say who wrote them.
    await putTemplate(tx, tenant, NOBODY, { id, project, name: free, text: cleanText(text).text });
    came.push(template);
    if (global && project !== null) told.kept.add(name);
  }
  const chosen = new Set(await defaultProjects(tx, tenant));
  for (const [project, id] of defaultsOf(places, projects, came)) {
    if (!chosen.has(project)) await putDefault(tx, tenant, project, id);
  }
  return { lost: [...told.lost], kept: [...told.kept] };
}
