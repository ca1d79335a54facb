import { build } from './build/build.ts';
import { type EditionId, edition, editionKey, editionOf, editions, type Limits } from './edition.ts';

/** An edition of the same kind of build. */
const built = (id: EditionId) => editionOf({ ...build, edition: id });

const words: Readonly<Record<keyof Limits, string>> = {
  itemsPerChecklist: 'Items in a checklist',
  projectTemplates: 'Templates of a project',
  globalTemplates: 'Site templates',
};

const most = (limit: number): string => (Number.isFinite(limit) ? String(limit) : 'No limit');

/** The differences between Pro and Free, for users to compare. */
export const differences: readonly { what: string; free: string; pro: string }[] = (
  ['itemsPerChecklist', 'projectTemplates', 'globalTemplates'] as const
).map(limit => ({
  what: words[limit],
  free: most(built('free').limits[limit]),
  pro: most(built('pro').limits[limit]),
}));

/** The edition whose data a site can take over. */
export const predecessor = edition.id === 'pro' ? built('free') : undefined;

const reviewsOf = (id: EditionId) => `https://marketplace.atlassian.com/apps/${editionKey(id, false)}/reviews`;

/** Links to review the own edition and the one above it. */
export const reviews: readonly { href: string; words: string }[] = [
  { href: reviewsOf(edition.id), words: 'Write a review' },
  ...(edition.id === 'free' ? [{ href: reviewsOf('pro'), words: `Reviews of ${editions.pro.name}` }] : []),
];
