import * as v from 'valibot';
import { parseAs } from '../../../domain/shape.ts';

/** The server refused, or did not answer (status 0). `message` is readable. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const errorShape = v.object({
  errorMessages: v.optional(v.array(v.string()), []),
  errors: v.optional(v.record(v.string(), v.string()), {}),
});

/** Error bodies of the REST API have reasons; other answers are described by their status. */
function reasonOf(status: number, body: string): string {
  try {
    const { errorMessages, errors } = parseAs(errorShape, JSON.parse(body));
    const reasons = [...errorMessages, ...Object.values(errors)];
    if (reasons.length) return reasons.join(' ');
  } catch {
    // No JSON, or another shape: the status is used.
  }
  if (status === 404) return "This doesn't exist, or you don't have permission to see it.";
  if (status === 401 || status === 403) return "You don't have permission to do this.";
  return `The tracker had an error (${status}). Try again.`;
}

/** Calls the tracker's own server as the visitor. Rejects with `RequestFailed`. */
export async function getText(path: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(path, init).catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause;
    throw new RequestFailed(0, "The tracker didn't answer. Check that it is running, then try again.");
  });
  const body = await response.text();
  if (!response.ok) throw new RequestFailed(response.status, reasonOf(response.status, body));
  return body;
}

export async function getJson<T>(path: string, shape: v.GenericSchema<unknown, T>, init: RequestInit = {}): Promise<T> {
  const body = await getText(path, { ...init, headers: { accept: 'application/json', ...init.headers } });
  return parseAs(shape, JSON.parse(body));
}

export const sending = (method: 'POST' | 'PUT', json: unknown): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(json),
});
