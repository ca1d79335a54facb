import { type BuildSettings, build } from './build.ts';

/** Most that an edition holds; `Infinity` where it has no limit. Limits refuse growth only. */
export interface Limits {
  globalTemplates: number;
  projectTemplates: number;
  itemsPerChecklist: number;
}

export interface Edition {
  id: 'free' | 'pro';
  /** The add-on's key in the tracker, and the prefix of all that it stores there. */
  key: string;
  name: string;
  /** Short name where room is scarce: panel titles, menu entries. */
  label: string;
  /** File in the client's `images/` folder. */
  logo: string;
  limits: Limits;
}

const unlimited: Limits = {
  globalTemplates: Number.POSITIVE_INFINITY,
  projectTemplates: Number.POSITIVE_INFINITY,
  itemsPerChecklist: Number.POSITIVE_INFINITY,
};

const freeLimits: Limits = { globalTemplates: 5, projectTemplates: 5, itemsPerChecklist: 20 };

/** The edition that a build is. Every key of a development build ends in `_development`. */
export function editionOf(settings: BuildSettings): Edition {
  const suffix = settings.development ? '_development' : '';
  return settings.edition === 'free'
    ? {
        id: 'free',
        key: `app.smart-checklist.free${suffix}`,
        name: 'Smart Checklist Free',
        label: 'Checklist Free',
        logo: 'logo-free.svg',
        limits: { ...freeLimits, ...settings.limits },
      }
    : {
        id: 'pro',
        key: `app.smart-checklist.pro${suffix}`,
        name: 'Smart Checklist Pro',
        label: 'Checklist',
        logo: 'logo-pro.svg',
        limits: unlimited,
      };
}

export const edition: Edition = editionOf(build);
