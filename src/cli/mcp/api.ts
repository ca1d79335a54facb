import type * as v from 'valibot';
import { API_PATH, type Operation, type OperationId, operations } from '../../domain/api/operations.ts';
import { problem } from '../../domain/api/schemas.ts';
import { readAs, readJson } from '../../domain/shape.ts';

/** The address of the API, and the token for it. */
export interface ApiConfig {
  /** The app's address without a trailing slash. */
  url: string;
  token: string;
}

/** An answer of the API that is an error, or none. The message is for the caller of a tool. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The problem as the API answered it, if it did. */
  readonly problem: v.InferOutput<typeof problem> | undefined;
  /** Seconds until a retry, if the API says so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, problemDetails?: v.InferOutput<typeof problem>, retryAfter?: number) {
    super(message);
    this.problem = problemDetails;
    this.retryAfter = retryAfter;
  }
}

/** Input of an operation. */
export interface ApiInput {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
}

/** Calls an operation of the API; resolves with its parsed answer. Rejects with `ApiError`. */
export type Api = <Id extends OperationId>(
  id: Id,
  input?: ApiInput,
) => Promise<v.InferOutput<(typeof operations)[Id]['answer']>>;

const ANSWER_TIMEOUT_MS = 30_000;

function addressOf(base: string, { path }: Operation, { params = {}, query = {} }: ApiInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const queryPairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const search = new URLSearchParams(queryPairs).toString();
  return `${base}${API_PATH}${filled}${search && `?${search}`}`;
}

function errorOf(status: number, text: string, retryAfter: string | null): ApiError {
  const reportedProblem = readAs(problem, readJson(text));
  const seconds = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined;
  return new ApiError(reportedProblem?.detail ?? `The server answered ${status}.`, reportedProblem, seconds);
}

export function createApi({ url, token }: ApiConfig, send: typeof fetch = fetch): Api {
  return async (id, input = {}) => {
    const operation: Operation = operations[id];
    const { body, headers = {} } = input;
    let answered: Response;
    let text: string;
    try {
      answered = await send(addressOf(url, operation, input), {
        method: operation.method,
        headers: {
          ...{ accept: 'application/json', authorization: `Bearer ${token}` },
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // The token is for this server only.
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      });
      text = await answered.text();
    } catch {
      throw new ApiError(`${new URL(url).host} does not answer.`);
    }
    if (!answered.ok) throw errorOf(answered.status, text, answered.headers.get('retry-after'));
    const parsed = readAs(operations[id].answer, readJson(text));
    if (parsed === undefined) throw new ApiError('The server answered something else than its API describes.');
    return parsed as v.InferOutput<(typeof operations)[typeof id]['answer']>;
  };
}
