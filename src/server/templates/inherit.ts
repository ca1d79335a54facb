import type { OfferedTemplate } from '../../domain/templates.ts';
import { cleanText } from '../../text/document.ts';
import { lockTenant } from '../store/lock.ts';
import type { Tx } from '../store/tables.ts';
import { type RunTask, runInParts } from '../text-workers/task.ts';
import { commonValue, type Inherited, idIn, isInherited } from './inheritance.ts';
import { freeName } from './rules.ts';
import { defaultProjects, isTemplateId, knownTemplates, putDefault, putTemplate } from './templates.ts';
import { countedItems } from './text-tasks.ts';
import { NO_AUTHOR } from './versions.ts';

/** The templates of a project in another edition. */
export interface ProjectOffer {
  project: string;
  offered: readonly OfferedTemplate[];
  /** Texts by id, as far as the property had room. */
  texts: Readonly<Record<string, string>>;
  /** Id of the default template. */
  first: string | null;
}

/** The result of inheriting templates that users are informed of. */
export interface InheritReport {
  /** Names of templates whose texts are missing. */
  lost: string[];
  /** Names of site templates of the other edition that were added to single projects. */
  kept: string[];
}

/** A template of a project in the other edition. */
type Claim = Pick<OfferedTemplate, 'name' | 'global'> & { text: string | undefined };

/** A template to add. */
type Wanted = Claim & Inherited;

/**
 * The templates to add. A site template that all projects have with equal values becomes a site template; any other one
 * is added to each of its projects, under separate ids for several.
 */
function wantedOf(places: readonly ProjectOffer[], projects: number): Wanted[] {
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
    const offered = places.map(({ project }) => claims.get(project));
    const name = commonValue(
      offered.map(claim => (claim?.global ? claim.name : undefined)),
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
 * The default templates, by project, among the added ones: a project's own default for the project; a site template for
 * the site if all other projects have it as default, else for the projects that have.
 */
function defaultsOf(
  places: readonly ProjectOffer[],
  projects: number,
  added: readonly Wanted[],
): ReadonlyMap<string | null, string> {
  const keyOf = (project: string | null, was: string) => `${project ?? ''} ${was}`;
  const idsByOffer = new Map(added.map(({ was, id, project }) => [keyOf(project, was), id]));
  const ownOf = ({ project, first }: ProjectOffer) => idsByOffer.get(keyOf(project, first ?? ''));
  const sharedOf = ({ first }: ProjectOffer) => idsByOffer.get(keyOf(null, first ?? ''));
  const unresolvedPlaces = places.filter(place => ownOf(place) === undefined);
  const ofSite = commonValue(unresolvedPlaces.map(sharedOf), projects);
  const chosen = new Map<string | null, string>(ofSite === undefined ? [] : [[null, ofSite]]);
  for (const place of places) {
    const first = ownOf(place) ?? (ofSite === undefined ? sharedOf(place) : undefined);
    if (first !== undefined) chosen.set(place.project, first);
  }
  return chosen;
}

/** Counts the items of the offered texts, by text. */
export async function itemsOf(run: RunTask, places: readonly ProjectOffer[]): Promise<Map<string, number>> {
  const texts = [...new Set(places.flatMap(place => Object.values(place.texts)))];
  const counts = await runInParts(run, countedItems, texts.map(cleanText));
  return new Map(texts.map((text, index) => [text, counts[index] ?? 0]));
}

/**
 * Adds the templates of projects in another edition. `projects` is the number of the site's projects, `items` has the number
 * of items by text (`itemsOf`). Existing and deleted templates, and defaults that were chosen here, stay unchanged.
 */
export async function inheritTemplates(
  tx: Tx,
  tenant: string,
  places: readonly ProjectOffer[],
  projects: number,
  items: ReadonlyMap<string, number>,
): Promise<InheritReport> {
  await lockTenant(tx, tenant);
  const storedTemplates = await knownTemplates(tx, tenant);
  const offeringProjects = places.map(({ project }) => project);
  const report = { lost: new Set<string>(), kept: new Set<string>() };
  const added: Wanted[] = [];
  for (const wantedTemplate of wantedOf(places, projects)) {
    const { was, id, project, name, global, text } = wantedTemplate;
    if (!isTemplateId(was) || isInherited(wantedTemplate, storedTemplates, offeringProjects)) continue;
    if (text === undefined || !isTemplateId(id)) {
      report.lost.add(name);
      continue;
    }
    const free = await freeName(tx, tenant, { project, name: cleanText(name).text, first: '' });
    // The other edition does not store authors.
    const template = { id, project, name: free, text: cleanText(text).text, items: items.get(text) ?? 0 };
    await putTemplate(tx, tenant, NO_AUTHOR, template);
    added.push(wantedTemplate);
    if (global && project !== null) report.kept.add(name);
  }
  const chosen = new Set(await defaultProjects(tx, tenant));
  for (const [project, id] of defaultsOf(places, projects, added)) {
    if (!chosen.has(project)) await putDefault(tx, tenant, project, id);
  }
  return { lost: [...report.lost], kept: [...report.kept] };
}
