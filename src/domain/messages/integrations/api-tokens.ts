/** Messages about API tokens; not fixed by the specification. */

export const list = "We couldn't load the API tokens. Try again.";
export const create = "We couldn't create the API token. Try again.";
export const revoke = "We couldn't revoke the API token. Try again.";
export const notFound = 'This token no longer exists.';
export const past = 'Choose a day in the future.';
export const tooMany = (most: number) => `You can have at most ${most.toLocaleString('en')} tokens. Revoke one first.`;
export const tooManyProjects = (most: number) =>
  `A token can have at most ${most.toLocaleString('en')} projects. Remove some, or choose none for all projects.`;
export const created = 'API token created.';
export const revoked = 'API token revoked.';
