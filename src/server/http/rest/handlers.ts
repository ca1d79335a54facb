import type { IncomingHttpHeaders } from 'node:http';
import type { GenericSchema, InferOutput } from 'valibot';
import type { OperationId, operations } from '../../../domain/api/operations.ts';
import type { ApiCaller } from '../../api-tokens/verify.ts';

type Of<Id extends OperationId> = (typeof operations)[Id];

/** The operations that need a token. */
export type HandledId = { [Id in OperationId]: Of<Id>['needs'] extends null ? never : Id }[OperationId];

/** A permitted request with parsed input. */
export interface Call<Id extends HandledId> {
  caller: ApiCaller;
  params: { readonly [Name in keyof Of<Id>['params']]: string };
  query: InferOutput<Of<Id>['query']>;
  body: Of<Id> extends { body: infer Body extends GenericSchema } ? InferOutput<Body> : undefined;
  headers: IncomingHttpHeaders;
}

export interface Answer<Id extends HandledId> {
  body: InferOutput<Of<Id>['answer']>;
  /** The revision for the answer's ETag. */
  revision?: string;
}

export type Handler<Id extends HandledId> = (call: Call<Id>) => Promise<Answer<Id>>;

/** One function for each operation that needs a token. */
export type Handlers = { readonly [Id in HandledId]: Handler<Id> };
