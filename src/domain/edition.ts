import { type BuildSettings, build } from './build.ts';

export type EditionId = BuildSettings['edition'];

/** Most that an edition holds; `Infinity` where it has no limit. Limits refuse growth only. */
export interface Limits {
  globalTemplates: number;
  projectTemplates: number;
  itemsPerChecklist: number;
}

interface Traits {
  name: string;
  /** Short name where room is scarce: panel titles, menu entries. */
  label: string;
  /** File in the client's `images/` folder. */
  logo: string;
  limits: Limits;
}

const { POSITIVE_INFINITY: unlimited } = Number;

/** The editions, and all that one has and the other lacks. The server holds what stands here, and screens show it. */
export const editions: Readonly<Record<EditionId, Traits>> = {
  free: {
    name: 'Smart Checklist Free',
    label: 'Checklist Free',
    logo: 'logo-free.svg',
    limits: { globalTemplates: 5, projectTemplates: 5, itemsPerChecklist: 20 },
  },
  pro: {
    name: 'Smart Checklist Pro',
    label: 'Checklist',
    logo: 'logo-pro.svg',
    limits: { globalTemplates: unlimited, projectTemplates: unlimited, itemsPerChecklist: unlimited },
  },
};

export interface Edition extends Traits {
  id: EditionId;
  /** The add-on's key in the tracker, and the prefix of all that it stores there. */
  key: string;
}

/** Every key of a development build ends in `_development`. */
export const editionKey = (id: EditionId, development: boolean): string =>
  `app.smart-checklist.${id}${development ? '_development' : ''}`;

/** The edition that a build is; it may have limits of its own in the place of the Free edition's. */
export function editionOf({ edition: id, development, limits }: BuildSettings): Edition {
  const traits = editions[id];
  const held = id === 'free' ? { ...traits.limits, ...limits } : traits.limits;
  return { id, key: editionKey(id, development), ...traits, limits: held };
}

export const edition: Edition = editionOf(build);
