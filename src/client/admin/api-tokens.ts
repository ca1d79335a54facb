import { graphql, operation, type ResultOf } from '../operation.ts';
import { answerFields } from './selections.ts';

const tokenFields = 'id name scope projectIds account until used' as const;

/** The API tokens of the site, and the API's address. */
export const getApiTokens = operation(graphql(`query getApiTokens { apiUrl apiTokens { ${tokenFields} } }`));

export type ApiToken = ResultOf<typeof getApiTokens>['apiTokens'][number];

export const createApiToken = operation(
  graphql(`mutation createApiToken($input: CreateApiTokenInput!) {
    createApiToken(input: $input) { secret token { ${tokenFields} } ${answerFields} }
  }`),
);

export const revokeApiToken = operation(
  graphql(`mutation revokeApiToken($id: ID!) {
    revokeApiToken(id: $id) { tokens { ${tokenFields} } ${answerFields} }
  }`),
);
