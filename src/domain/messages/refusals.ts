/** Messages about missing permissions. */

export const permission =
  "You don't have appropriate permission to use this functionality. Contact your Site Administrator.";
export const projectAdmin = 'You are most likely missing Administer Project permission.';
export const unlicensed =
  "This app's license is not active, so checklists are read-only. Ask a Jira admin to renew it under Manage apps.";
/** Of text with a NUL, which no database holds. */
export const nul = "This text has a character that can't be stored or searched for. Remove it and try again.";
