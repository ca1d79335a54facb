/** A refusal in the tracker's format: `{ errorMessages, errors }`, errors by field id. */
export class RestError extends Error {
  override readonly name = 'RestError';
  readonly status: number;
  readonly body: { errorMessages: string[]; errors: Record<string, string> } | { message: string; statusCode: number };

  constructor(status: number, messages: string | string[], errors: Record<string, string> = {}) {
    const errorMessages = typeof messages === 'string' ? [messages] : messages;
    super([...errorMessages, ...Object.values(errors)].join(' '));
    this.status = status;
    this.body = { errorMessages, errors };
  }
}

/** A refusal by a resource for apps, which has another format. */
export class AppRefusal extends RestError {
  constructor(status: number, message: string) {
    super(status, message);
  }
  override readonly body = { message: this.message, statusCode: this.status };
}

export const appsOnly = () => new AppRefusal(401, 'Access to this resource must be authenticated as an app.');

export const unauthorized = () =>
  new RestError(401, 'You are not authenticated. Authentication required to perform this operation.');
export const issueNotFound = () => new RestError(404, 'Issue does not exist or you do not have permission to see it.');
export const projectNotFound = (idOrKey: string) =>
  new RestError(404, `No project could be found with key '${idOrKey}'.`);
export const forbidden = (message: string) => new RestError(403, message);
export const badRequest = (message: string) => new RestError(400, message);

export const invalidPayload = () =>
  badRequest('Invalid request payload. Refer to the REST API documentation and try again.');
