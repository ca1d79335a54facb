/** Messages about settings that the specification does not fix. */

export const noField = "This field doesn't exist, or it isn't a text field. Choose another one.";
export const noProject = "This project doesn't exist, or you don't have permission to see it.";
export const noPortalMode = "Customers can't see whole checklists on this site. Choose another option.";
export const unconfirmed = "Type the site's address to confirm.";
export const noAccount = 'Enter an Atlassian account ID.';
export const nothingOfAccount = 'Nothing is stored about this account.';
/** The tracker's copies are the only data left after removal. */
export const copiesPending = 'Some checklists are not copied to Jira yet. Try again in a minute.';
/** On Forge only a site administrator can pin a panel on all issues. */
export const pinRefused =
  'A Jira administrator must also choose “Show for all work items” on this panel. Until then, each issue shows a button that opens it.';
export const pinFailed = "We couldn't change the panel position in Jira.";
/** The tracker's page keeps the places of panels that it read when it was loaded. */
export const moved = 'Pages that are already open show this once they are reloaded.';

export const losesByOwn =
  'People who can edit issues but have none of the app’s permissions can no longer change checklists. They can still see them.';
export const losesByOwnOff =
  'People who have the app’s permissions but can’t edit issues can no longer change checklists. Everyone who can edit an issue can.';
export const losesByView =
  'People who have none of the app’s permissions can no longer see checklists, their history and their assigned items.';
export const holders = 'The settings of each project list who has which permission.';
