import { build } from './build.ts';
import { type EditionId, edition, editionKey, editionOf, editions, type Limits } from './edition.ts';

/** As this build has it, or the other one that is built with it. */
const built = (id: EditionId) => editionOf({ ...build, edition: id });

const words: Readonly<Record<keyof Limits, string>> = {
  itemsPerChecklist: 'Items in a checklist',
  projectTemplates: 'Templates of a project',
  globalTemplates: 'Site templates',
};

const most = (limit: number): string => (Number.isFinite(limit) ? String(limit) : 'No limit');

/** What Pro has and Free lacks, for people to compare. */
export const differences: readonly { what: string; free: string; pro: string }[] = (
  ['itemsPerChecklist', 'projectTemplates', 'globalTemplates'] as const
).map(limit => ({
  what: words[limit],
  free: most(built('free').limits[limit]),
  pro: most(built('pro').limits[limit]),
}));

/** The edition whose checklists a site keeps when it comes to this one. */
export const predecessor = edition.id === 'pro' ? built('free') : undefined;

const reviewsOf = (id: EditionId) => `https://marketplace.atlassian.com/apps/${editionKey(id, false)}/reviews`;

/** Where people say what they think of an edition: of their own, and of the one above it. */
export const reviews: readonly { href: string; words: string }[] = [
  { href: reviewsOf(edition.id), words: 'Write a review' },
  ...(edition.id === 'free' ? [{ href: reviewsOf('pro'), words: `Reviews of ${editions.pro.name}` }] : []),
];
