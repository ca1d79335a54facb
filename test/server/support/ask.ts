import * as v from 'valibot';
import type { TestApp } from './app.ts';

const errors = v.array(v.object({ code: v.string(), field: v.nullable(v.string()), message: v.string() }));
const answerShape = v.looseObject({ message: v.nullable(v.string()), errors });
export type MutationAnswer = v.InferOutput<typeof answerShape>;

/** Sends GraphQL operations as an account. `selection` names the fields besides message and errors. */
export const askAs = (it: TestApp, account: string) => ({
  /** Runs a mutation whose only argument is `input`. */
  async mutate(name: string, input: Record<string, unknown>, selection = ''): Promise<MutationAnswer> {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const document = `mutation run($input: ${type}!) {
      ${name}(input: $input) { message errors { code field message } ${selection} }
    }`;
    const answer = await it.graphql(account, document, { input });
    if (!answer.data) throw new Error(JSON.stringify(answer));
    return v.parse(answerShape, answer.data[name]);
  },
  /** Runs a document with one field; rejects with the message of the first error. */
  async ask(document: string, variables?: Record<string, unknown>): Promise<unknown> {
    const { data, errors: [first] = [] } = await it.graphql(account, document, variables);
    if (first) throw new Error(first.message);
    return Object.values(data ?? {})[0];
  },
});

/** Answer of a refused mutation. */
export const refused = (code: string, field: string | null, message: string) => ({
  errors: [{ code, field, message }],
});
