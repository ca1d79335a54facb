/** Places outside the tracker that every edition links to; those in the marketplace are an edition's (editions.ts). */
export const links = {
  support: 'https://support.smart-checklist.app/contact',
  survey: 'https://support.smart-checklist.app/survey',
} as const;
