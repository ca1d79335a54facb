import { editionKey } from './edition.ts';

/** Where a site gets the edition that has no limits: its page in the host's marketplace, where no development build is. */
export const upgrade = `https://marketplace.atlassian.com/apps/${editionKey('pro', false)}/overview`;
