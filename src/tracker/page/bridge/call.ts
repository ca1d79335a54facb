import type { Callback, Caller, Method } from 'atlassian-connect-js';

/** The bridge appends the callback to the frame's arguments. */
export const callbackOf = (callArguments: readonly unknown[]): Callback => callArguments.at(-1) as Callback;

export const callerOf = (callArguments: readonly unknown[]): Caller => callbackOf(callArguments)._context;

/** A method answered by its promise: a rejection reaches the frame as its message. */
export const answerByPromise = (method: (...given: unknown[]) => Promise<unknown>): Method =>
  Object.assign(method, { returnsPromise: true });
