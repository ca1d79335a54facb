import type { GraphqlClient } from './graphql.ts';
import { graphql, operation, type ResultOf } from './operation.ts';

/** The issues that items of a checklist were converted to. */

export const getConvertedIssues = operation(
  graphql('query getConvertedIssues($issueId: ID!) { convertedIssues(issueId: $issueId) { issueKey follows } }'),
);

/** `follows`: the item is completed and reopened with the issue. */
export type ConvertedIssue = ResultOf<typeof getConvertedIssues>['convertedIssues'][number];

export const setFollowing = operation(
  graphql(`mutation setFollowing($issueId: ID!, $issueKey: String!, $follows: Boolean!) {
    setFollowing(issueId: $issueId, issueKey: $issueKey, follows: $follows) {
      issues { issueKey follows }
      errors { code field message }
    }
  }`),
);

/** Sets whether the item follows its issue. Resolves with all converted issues. */
export const sendFollowing = (
  client: GraphqlClient,
  input: { issueId: string; issueKey: string; follows: boolean },
): Promise<readonly ConvertedIssue[]> =>
  client.mutate(setFollowing, input, data => data.setFollowing).then(({ issues }) => issues);
