import * as v from 'valibot';
import type { HostBridge, HostResponse } from '../bridge/bridge.ts';
import { failures } from '../domain/messages.ts';
import { readAs } from '../domain/shape.ts';
import { MutationRefused, ServerError } from './errors.ts';
import type { Operation } from './operation.ts';
import type { SessionStore } from './session.ts';

/** Fields of every mutation's payload. */
interface MutationPayload {
  errors: { code: string; field: string | null; message: string }[];
}

export interface GraphqlClient {
  query<Result, Variables>(
    operation: Operation<Result, Variables>,
    variables: Variables,
    signal?: AbortSignal,
  ): Promise<Result>;
  /** Resolves with the payload that `pick` selects; rejects with `MutationRefused` when it has errors. */
  mutate<Result, Variables, Payload extends MutationPayload>(
    operation: Operation<Result, Variables>,
    variables: Variables,
    pick: (result: Result) => Payload,
  ): Promise<Payload>;
}

export interface GraphqlOptions {
  /** Sends queries by GET. Mutations always go by POST. */
  getQueries?: boolean;
  /** Called with the name of every succeeded operation. */
  completed?: (operation: string) => void;
}

const message = v.object({ message: v.string() });
/** The envelope of every answer. Its data are the operation's: the server answers each document by the schema that types it. */
const answerShape = v.object({
  data: v.nullish(v.record(v.string(), v.unknown())),
  errors: v.optional(v.array(message)),
  error: v.optional(v.string()),
});

function parse(text: string): v.InferOutput<typeof answerShape> {
  try {
    return readAs(answerShape, JSON.parse(text)) ?? {};
  } catch {
    return {};
  }
}

/**
 * Creates the client of our server's operations: a refused token is renewed once and the operation
 * repeated.
 */
export function createGraphql(bridge: HostBridge, session: SessionStore, options: GraphqlOptions = {}): GraphqlClient {
  const send = (operation: Operation<unknown, unknown>, variables: unknown, token: string, signal?: AbortSignal) => {
    const { kind, name, source } = operation;
    const headers = { authorization: `JWT ${token}` };
    const cancel = signal ? { signal } : {};
    if (kind === 'query' && options.getQueries) {
      const query = { query: source, operationName: name, variables: JSON.stringify(variables) };
      return bridge.backend('/graphql', { query, headers, ...cancel });
    }
    const json = { query: source, operationName: name, variables };
    return bridge.backend('/graphql', { method: 'POST', json, headers, ...cancel });
  };

  const answerOf = async (
    operation: Operation<unknown, unknown>,
    variables: unknown,
    signal?: AbortSignal,
  ): Promise<HostResponse> => {
    const token = await session.token();
    const answer = await send(operation, variables, token, signal);
    if (answer.status !== 401) return answer;
    return send(operation, variables, await session.renew(token), signal);
  };

  async function run<Result, Variables>(
    operation: Operation<Result, Variables>,
    variables: Variables,
    signal?: AbortSignal,
  ): Promise<Result> {
    const { status, text } = await answerOf(operation, variables, signal);
    const { data, errors, error } = parse(text);
    const reason = errors?.[0]?.message ?? error;
    // Screens show this message: a proxy's reason phrase would mean nothing there.
    if (status >= 300 || reason !== undefined) throw new ServerError(status, reason || failures.unknown);
    if (data?.[operation.field] === undefined) throw new ServerError(status, failures.unknown);
    return data as Result;
  }

  return {
    query: async (operation, variables, signal) => {
      const result = await run(operation, variables, signal);
      options.completed?.(operation.name);
      return result;
    },
    mutate: async (operation, variables, pick) => {
      const payload = pick(await run(operation, variables));
      const [refusal] = payload.errors;
      if (refusal) throw new MutationRefused(refusal.code, refusal.field ?? undefined, refusal.message);
      options.completed?.(operation.name);
      return payload;
    },
  };
}
