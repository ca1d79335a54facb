import * as v from 'valibot';
import { graphql, operation } from '../operation.ts';
import { answerFields, answerShape } from './answer.ts';

const tokenFields = 'id name scope projectIds account until used' as const;

const tokenShape = v.object({
  id: v.string(),
  name: v.string(),
  scope: v.picklist(['READ', 'WRITE']),
  /** Empty for the whole site. */
  projectIds: v.array(v.string()),
  /** The account that created it. */
  account: v.string(),
  /** ISO times; `null` where it never expires, or was not used yet. */
  until: v.nullable(v.string()),
  used: v.nullable(v.string()),
});
export type ApiToken = v.InferOutput<typeof tokenShape>;

/** The API tokens of the site, and the API's address. */
export const getApiTokens = operation(
  graphql(`query getApiTokens { apiUrl apiTokens { ${tokenFields} } }`),
  v.object({ apiUrl: v.string(), apiTokens: v.array(tokenShape) }),
);

export const createApiToken = operation(
  graphql(`mutation createApiToken($input: CreateApiTokenInput!) {
    createApiToken(input: $input) { secret token { ${tokenFields} } ${answerFields} }
  }`),
  v.object({
    createApiToken: v.object({ secret: v.nullable(v.string()), token: v.nullable(tokenShape), ...answerShape }),
  }),
);

export const revokeApiToken = operation(
  graphql(`mutation revokeApiToken($id: ID!) {
    revokeApiToken(id: $id) { tokens { ${tokenFields} } ${answerFields} }
  }`),
  v.object({ revokeApiToken: v.object({ tokens: v.nullable(v.array(tokenShape)), ...answerShape }) }),
);
