/** Messages about webhooks that the specification does not fix. */

export const notFound = 'This webhook no longer exists.';
export const tooMany = (most: number) =>
  `You can have at most ${most.toLocaleString('en')} webhooks. Delete one first.`;
export const tooManyProjects = (most: number) =>
  `A webhook can have at most ${most.toLocaleString('en')} projects. Remove some, or choose none for all projects.`;
export const noEvents = 'Choose at least one event.';
export const noActions = 'Choose at least one action.';
export const url = 'Enter an address that starts with “https://”.';
export const privateUrl = "This address can't be reached from the internet. Enter a public one.";
export const token = 'Enter a token of at most 500 printable characters.';
export const stopped =
  "This webhook was turned off because its receiver didn't accept calls for a day. Check the address, then turn it on again.";
export const noSecret =
  'This webhook has had no secret since the app was removed from this site. Turn it on to get a new one.';
/** Before another address is saved. */
export const otherReceiver = 'Saving an address of another server replaces the secret, and removes the saved token.';
export const notSent = "We couldn't reach the receiver. Check the address, then send the test again.";
export const answered = (status: number) =>
  `The receiver didn't accept the call (status ${status}). Check the receiver, then send the test again.`;
export const accepted = (status: number) => `Test sent. The receiver accepted it (status ${status}).`;

/** Refusals of an incoming webhook, for the author of the calling program. */
export const incoming = {
  unauthorized: 'The signature or secret is missing, wrong or expired.',
  unreadable: 'The body must be JSON with an action, an issue and the values that the action needs.',
  action: "This webhook doesn't allow this action.",
  project: "This webhook isn't for the project of this issue.",
  issue: 'Send the ID or key of an issue.',
  template: 'No template of this site or project has this ID or name.',
  section: 'No section has this name.',
  status: 'No status has this name.',
  repeated: 'A call with this ID was made before.',
};
