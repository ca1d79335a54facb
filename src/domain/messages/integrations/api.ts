/** Messages of the REST API; not fixed by the specification. */

export const unauthorized = 'Send a valid API token as "Authorization: Bearer …".';
export const readOnly = 'This token can only read. Use one that can read and write.';
export const appDenied = "The app doesn't have permission to edit issues in this project.";
export const projectDenied = "This token can't create issues in this project.";
export const twoBases = 'Send either If-Match or a base.';
export const baseRequired = 'Send If-Match with the revision that the change was made on, or the base.';
export const revisionChanged = 'The checklist has changed since this revision. Read it and make the change again.';
export const keyReused = 'This Idempotency-Key was used for another request. Use a new one.';
export const badKey = 'An Idempotency-Key has 1 to 80 printable characters without spaces.';
export const badRevision = 'If-Match takes one revision: the ETag of an earlier answer.';
export const diagnosed = 'The change has mistakes. Correct them, or send "diagnostics": "report".';
export const noRoute = 'There is no such operation. See /api/v1/openapi.json.';
export const unknownProject = "The app knows no checklist of this project, or the token can't read it.";
export const rateLimited = 'Too many requests. Try again after the seconds in Retry-After.';
export const bodyTooLarge = (most: number) =>
  `The request is too large. Send at most ${most.toLocaleString('en')} bytes.`;
export const badJson = "The request isn't valid JSON.";
export const jsonOnly = 'Send JSON with "Content-Type: application/json".';
/** The answer to a dry run of a conversion, which creates no issue. */
export const wouldConvert = (summary: string) => `An issue would be created: ${JSON.stringify(summary)}.`;
