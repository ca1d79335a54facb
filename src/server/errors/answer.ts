import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { api, failures, shell, unreachable } from '../../domain/messages.ts';
import { asRefusal } from './refusal.ts';
import { type RefusalCode, Refused, type RefusedFinding, RefusedText } from './refused.ts';
import { BadInput, TooManyRequests, Unauthorized } from './request.ts';
import { note } from './request-notes.ts';
import { Overloaded, StoreUnavailable } from './unavailable.ts';

/** The answer to an error. Each kind of route gives it its own form. */
export interface ErrorAnswer {
  /** Of HTTP. */
  status: number;
  /** For programs. */
  code: string;
  /** For users. */
  message: string;
  /** The invalid input, if any. */
  field?: string;
  findings?: readonly RefusedFinding[];
  /** Seconds until a retry. */
  retryAfter?: number;
}

/** The HTTP status of an edit or input with refused content. */
const UNPROCESSABLE = 422;

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

/** Applies if the time of a retry is not known. */
const DEFAULT_RETRY_SECONDS = 30;

const seconds = (time: number): number => Math.max(1, Math.ceil(time));

function refusalAnswer(error: Refused): ErrorAnswer {
  const { code, message, field, retryAfter } = error;
  const status = statuses[code] ?? UNPROCESSABLE;
  return {
    ...{ status, code, message },
    ...(field !== undefined && { field }),
    ...(error instanceof RefusedText && { findings: error.findings }),
    ...(status === 503 && {
      retryAfter: seconds(retryAfter === undefined ? DEFAULT_RETRY_SECONDS : retryAfter / 1000),
    }),
  };
}

/** The answer while something that the server needs is away. The client retries. */
export const unavailableAnswer: ErrorAnswer = {
  ...{ status: 503, code: 'UNAVAILABLE', message: unreachable.server },
  retryAfter: DEFAULT_RETRY_SECONDS,
};

/** The status of an error of the HTTP framework: of a body that is too large, of another type, or malformed. */
const frameworkStatus = (error: Error): number | undefined => {
  const status = 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
};

/** `undefined` for an unexpected error. */
function expectedAnswer(error: unknown): ErrorAnswer | undefined {
  const refusal = asRefusal(error);
  if (refusal instanceof Refused) return refusalAnswer(refusal);
  if (error instanceof Unauthorized) return { status: 401, code: 'UNAUTHORIZED', message: shell.unauthorized };
  if (error instanceof TooManyRequests)
    return { status: 429, code: 'RATE_LIMITED', message: api.rateLimited, retryAfter: seconds(error.reset) };
  if (error instanceof BadInput) return { status: 400, code: 'UNREADABLE', message: error.message };
  if (error instanceof StoreUnavailable) return unavailableAnswer;
  if (error instanceof Overloaded) return { ...unavailableAnswer, retryAfter: seconds(error.reset) };
  const status = error instanceof Error ? frameworkStatus(error) : undefined;
  if (status === undefined || !(error instanceof Error)) return undefined;
  return { status, code: status === 413 ? 'TOO_LARGE' : 'UNREADABLE', message: error.message };
}

/** Whether an error is the server's own. */
export const isFailure = (error: unknown): boolean => expectedAnswer(error) === undefined;

/** The answer to any error. Causes of failures are never told to the caller. */
export const answerOf = (error: unknown): ErrorAnswer =>
  expectedAnswer(error) ?? { status: 500, code: 'UNKNOWN', message: failures.unknown };

/** Logs what the answer to an error does not tell. The log has an unavailable database once for all requests (failure-log.ts). */
export function logCause(error: unknown, log: FastifyBaseLogger): void {
  if (error instanceof Unauthorized) log.info({ reason: error.message }, 'unauthorized');
  else if (isFailure(error)) log.error(error, 'request failed');
}

/** Begins the reply to an error: status, headers, and the code in the request's line of the log. */
export function beginAnswer(request: FastifyRequest, reply: FastifyReply, answer: ErrorAnswer): FastifyReply {
  const { status, code, retryAfter } = answer;
  note(request, { outcome: code });
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  return reply.code(status);
}

/** Whether a stream ended because its client had closed the connection before the first byte. */
const isClosedByClient = ({ code }: FastifyError, { raw }: FastifyReply): boolean =>
  code === 'ERR_STREAM_PREMATURE_CLOSE' && raw.destroyed;

/** Answers an error as `{ error: message }`. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isClosedByClient(error, reply)) return reply.hijack();
  logCause(error, request.log);
  const answer = answerOf(error);
  return beginAnswer(request, reply, answer).send({ error: answer.message });
}
