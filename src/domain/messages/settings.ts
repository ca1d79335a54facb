/** What is said of settings where the specification is silent. */

export const noField = 'This field does not exist, or it holds no text.';
export const noProject = "This project doesn't exist, or you don't have permission to see it.";
export const unconfirmed = "Type the site's address to confirm.";
/** The copies are what stays of the checklists. */
export const copiesPending = 'Some checklists are not copied to Jira yet. Try again in a minute.';
/** On Forge a panel stands on all issues only where an administrator of the site has said so. */
export const pinRefused =
  'A Jira administrator must also choose “Show for all work items” on this panel. Until then, each issue shows a button that opens it.';
