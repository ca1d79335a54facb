import { editionKey } from './edition.ts';

/** Places outside the tracker that every edition links to; those in the marketplace are an edition's (editions.ts). */
export const links = {
  support: 'https://support.smart-checklist.app/contact',
  survey: 'https://support.smart-checklist.app/survey',
} as const;

/** Where a site gets the edition that has no limits: its page in the host's marketplace, where no development build is. */
export const upgrade = `https://marketplace.atlassian.com/apps/${editionKey('pro', false)}/overview`;
