/** Messages about API tokens; not fixed by the specification. */

export const list = 'Could not get API tokens.';
export const create = 'Could not create API token.';
export const revoke = 'Could not revoke API token.';
export const notFound = 'This token no longer exists.';
export const past = 'Choose a day in the future.';
export const tooMany = (most: number) => `You can have at most ${most.toLocaleString('en')} tokens. Revoke one first.`;
export const tooManyProjects = (most: number) =>
  `A token can have at most ${most.toLocaleString('en')} projects. Remove some, or choose none for all projects.`;
export const created = 'API token created.';
export const revoked = 'API token revoked.';
