import { type BuildSettings, build } from './build/build.ts';

export type EditionId = BuildSettings['edition'];

/** Limits of an edition; `Infinity` for none. Limits refuse growth only. */
export interface Limits {
  globalTemplates: number;
  projectTemplates: number;
  itemsPerChecklist: number;
}

interface Traits {
  name: string;
  /** Short name for panel titles and menu entries. */
  label: string;
  /** File in the client's `images/` folder. */
  logo: string;
  limits: Limits;
}

const { POSITIVE_INFINITY: unlimited } = Number;

/** The differences between the editions, enforced by the server and shown on screens. */
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
  /** The app's key in the tracker, and the prefix of all its stored keys. */
  key: string;
}

/** Every key of a development build ends in `_development`. */
export const editionKey = (id: EditionId, development: boolean): string =>
  `app.smart-checklist.${id}${development ? '_development' : ''}`;

/** The edition of a build, with overridden limits for the Free edition. */
export function editionOf({ edition: id, development, limits }: BuildSettings): Edition {
  const traits = editions[id];
  const effectiveLimits = id === 'free' ? { ...traits.limits, ...limits } : traits.limits;
  return { id, key: editionKey(id, development), ...traits, limits: effectiveLimits };
}

export const edition: Edition = editionOf(build);
