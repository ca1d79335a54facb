/** Messages about webhooks that the specification does not fix. */

export const notFound = 'This webhook no longer exists.';
export const tooMany = (most: number) => `You can have at most ${most.toLocaleString('en')} webhooks.`;
export const noEvents = 'Choose at least one event.';
export const noActions = 'Choose at least one action.';
export const url = 'Enter an address that starts with https://';
export const privateUrl = 'This address is not reachable from the internet.';
export const token = 'Enter a token of at most 500 printable characters.';
export const stopped =
  'Turned off: the receiver did not accept calls for a day. Check its address, then turn the webhook on again.';
export const notSent = "We couldn't reach the receiver.";
export const answered = (status: number) => `The receiver answered ${status}.`;
export const accepted = (status: number) => `Test sent. The receiver answered ${status}.`;

/** Refusals of an incoming webhook, for the author of the calling program. */
export const incoming = {
  unauthorized: 'The signature or secret is missing, wrong or expired.',
  unreadable: 'The body is not the JSON that this webhook takes.',
  action: 'This webhook does not allow this action.',
  project: 'This webhook is not for the project of this issue.',
  issue: 'Give the id or key of an issue.',
  template: 'No template of this site or project has this id or name.',
  section: 'No section has this name.',
  status: 'No status has this name.',
  repeated: 'A call with this id was made before.',
};
