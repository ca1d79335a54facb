import { edition } from './edition.ts';

/** Places outside the tracker that screens link to. */
const marketplace = 'https://marketplace.atlassian.com/apps';
export const links = {
  enterprise: `${marketplace}/app.smart-checklist.pro/overview`,
  review: `${marketplace}/${edition.key.replace(/_development$/, '')}/reviews`,
  support: 'https://support.smart-checklist.app/contact',
  survey: 'https://support.smart-checklist.app/survey',
} as const;
