import * as client from '../../../src/client/operation.ts';

export * from '../../../src/client/operation.ts';

/** In place of the client's module in its kept build: knows every operation of the client. */
export const operations: client.Operation<unknown, unknown>[] = [];

export const operation: typeof client.operation = document => {
  const made = client.operation(document);
  operations.push(made);
  return made;
};
