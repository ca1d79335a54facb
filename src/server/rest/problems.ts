import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '../../domain/api/schemas.ts';
import { api, failures, unreachable } from '../../domain/messages.ts';
import { CHECKLIST_BODY } from '../common/limits.ts';
import { note } from '../common/request-notes.ts';
import { type RefusalCode, Refused, RefusedText } from '../errors/refused.ts';
import { BadInput, TooManyRequests, Unauthorized } from '../errors/request.ts';
import { StoreUnavailable } from '../errors/unavailable.ts';

/** A path without an operation. */
export class NoOperation extends Error {
  override readonly name = 'NoOperation';
}

/** The status of an edit or input that is refused for what it says. */
const UNPROCESSABLE = 422;

/** The statuses of refusals, by the codes of GraphQL. */
const statuses: Partial<Record<RefusalCode, number>> = {
  BASE_REQUIRED: 428,
  BASE_UNKNOWN: 409,
  BUSY: 409,
  CHANGED_MEANWHILE: 409,
  FORBIDDEN: 403,
  KEY_REUSED: 409,
  NOT_FOUND: 404,
  REVISION_CHANGED: 412,
  TRACKER_REFUSED: 502,
  TRACKER_UNAVAILABLE: 503,
  UNKNOWN: 500,
  UNLICENSED: 403,
  UNREADABLE: 400,
};

/** Seconds until a retry, where the time is not known. */
const RETRY_AFTER = 30;

/** The parts of a problem that differ. */
interface Found extends Omit<Problem, 'type' | 'title'> {
  headers?: Readonly<Record<string, string>>;
}

const retryAfter = (seconds: number) => ({ 'retry-after': String(Math.max(1, Math.ceil(seconds))) });

function refusal(error: Refused): Found {
  const { code, field, message: detail } = error;
  const status = statuses[code] ?? UNPROCESSABLE;
  return {
    ...{ status, code, detail },
    ...(field !== undefined && { field }),
    ...(error instanceof RefusedText && { diagnostics: [...error.findings] }),
    ...(status === 503 && { headers: retryAfter((error.retryAfter ?? RETRY_AFTER * 1000) / 1000) }),
  };
}

/** Errors of the HTTP framework: of bodies that are too large, of other types, or malformed. */
function frameworkError(status: number): Found {
  if (status === 413) return { status, code: 'TOO_LARGE', detail: api.bodyTooLarge(CHECKLIST_BODY) };
  return { status, code: 'UNREADABLE', detail: status === 415 ? api.jsonOnly : api.badJson };
}

/** `undefined` for an unexpected error. */
function expected(error: FastifyError): Found | undefined {
  if (error instanceof Unauthorized) {
    const headers = { 'www-authenticate': 'Bearer error="invalid_token"' };
    return { status: 401, code: 'UNAUTHORIZED', detail: api.unauthorized, headers };
  }
  if (error instanceof TooManyRequests)
    return { status: 429, code: 'RATE_LIMITED', detail: api.rateLimited, headers: retryAfter(error.reset) };
  if (error instanceof NoOperation) return { status: 404, code: 'NOT_FOUND', detail: api.noRoute };
  if (error instanceof BadInput) return { status: 400, code: 'UNREADABLE', detail: error.message };
  if (error instanceof Refused) return refusal(error);
  if (error instanceof StoreUnavailable) {
    return { status: 503, code: 'UNAVAILABLE', detail: unreachable.server, headers: retryAfter(RETRY_AFTER) };
  }
  const { statusCode: status } = error;
  return status !== undefined && status >= 400 && status < 500 ? frameworkError(status) : undefined;
}

/** Turns every thrown error into a problem (RFC 9457). Causes go to the log, never to the caller. */
export function answerProblem(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const found = expected(error);
  if (error instanceof Unauthorized) request.log.info({ reason: error.message }, 'unauthorized');
  if (!found) request.log.error(error, 'request failed');
  const { headers = {}, ...rest } = found ?? { status: 500, code: 'UNKNOWN', detail: failures.unknown };
  note(request, { outcome: rest.code });
  const kind = rest.code.toLowerCase().replaceAll('_', '-');
  const problem: Problem = {
    type: `urn:problem:smart-checklist:${kind}`,
    title: STATUS_CODES[rest.status] ?? 'Error',
    ...rest,
  };
  return reply.code(rest.status).headers(headers).type('application/problem+json').send(JSON.stringify(problem));
}
