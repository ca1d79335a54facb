/** What is said of settings where the specification is silent. */

export const noField = 'This field does not exist, or it holds no text.';
export const noProject = "This project doesn't exist, or you don't have permission to see it.";
export const unconfirmed = "Type the site's address to confirm.";
/** The copies are what stays of the checklists. */
export const copiesPending = 'Some checklists are not copied to Jira yet. Try again in a minute.';
