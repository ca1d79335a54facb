/** What is said of settings where the specification is silent. */

export const noField = 'This field does not exist, or it holds no text.';
export const noProject = 'This project does not exist, or you may not see it.';
export const unconfirmed = "Type the site's address to confirm.";
