import { type EditionId, editionKey } from './edition.ts';

/** An edition's page in the host's marketplace. */
const marketplace = (id: EditionId) => `https://marketplace.atlassian.com/apps/${editionKey(id, false)}`;

/** Places outside the tracker that screens link to. */
export const links = {
  enterprise: `${marketplace('pro')}/overview`,
  support: 'https://support.smart-checklist.app/contact',
  survey: 'https://support.smart-checklist.app/survey',
} as const;

export const reviewsOf = (id: EditionId): string => `${marketplace(id)}/reviews`;
