import { editionKey } from './edition.ts';

/** External links of every edition; those in the marketplace depend on the edition (editions.ts). */
export const links = {
  support: 'https://support.smart-checklist.app/contact',
  survey: 'https://support.smart-checklist.app/survey',
} as const;

/** The marketplace page of the edition without limits; development builds have none. */
export const upgrade = `https://marketplace.atlassian.com/apps/${editionKey('pro', false)}/overview`;
