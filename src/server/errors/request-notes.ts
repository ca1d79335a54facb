import type { FastifyReply, FastifyRequest } from 'fastify';

/** Details of a request for its line in the log, besides path and status. They have no secret and no text of users. */
export interface RequestNotes {
  /** The tenant's id, once a token has proved it. */
  tenant?: string;
  /** The operation's name; without one it is the route's path. */
  operation?: string;
  /** `ok` or the code of the refusal. */
  outcome?: string;
}

const notes = new WeakMap<FastifyRequest, RequestNotes>();

/** Adds to the notes of a request; later values replace earlier ones. */
export function note(request: FastifyRequest, more: RequestNotes): void {
  notes.set(request, { ...notes.get(request), ...more });
}

/** Codes of answers that name none, by status. */
const codes: Readonly<Record<number, string>> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  429: 'RATE_LIMITED',
  503: 'UNAVAILABLE',
};

function outcomeOf(status: number): string {
  if (status < 400) return 'ok';
  return codes[status] ?? (status < 500 ? 'UNREADABLE' : 'UNKNOWN');
}

/** The notes of an answered request, completed by its route and status. */
export function notesOf(request: FastifyRequest, reply: FastifyReply): RequestNotes {
  const operation = request.routeOptions.url ?? 'none';
  return { operation, outcome: outcomeOf(reply.statusCode), ...notes.get(request) };
}
