import type { Callback, Caller, Method } from 'atlassian-connect-js';

/** The bridge puts the callback behind whatever the frame passed. */
export const callbackOf = (given: readonly unknown[]): Callback => given.at(-1) as Callback;

export const callerOf = (given: readonly unknown[]): Caller => callbackOf(given)._context;

/** A method whose promise is the answer: a rejection reaches the frame as its message. */
export const answering = (method: (...given: unknown[]) => Promise<unknown>): Method =>
  Object.assign(method, { returnsPromise: true });
