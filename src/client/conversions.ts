import * as v from 'valibot';
import type { GraphqlClient } from './graphql.ts';
import { graphql, operation } from './operation.ts';

/** The issues that items of a checklist were converted to. */

const convertedShape = v.object({ issueKey: v.string(), follows: v.boolean() });
/** `follows`: the item is completed and reopened with the issue. */
export type ConvertedIssue = v.InferOutput<typeof convertedShape>;

export const getConvertedIssues = operation(
  graphql('query getConvertedIssues($issueId: ID!) { convertedIssues(issueId: $issueId) { issueKey follows } }'),
  v.object({ convertedIssues: v.array(convertedShape) }),
);

export const setFollowing = operation(
  graphql(`mutation setFollowing($issueId: ID!, $issueKey: String!, $follows: Boolean!) {
    setFollowing(issueId: $issueId, issueKey: $issueKey, follows: $follows) {
      issues { issueKey follows }
      errors { code field message }
    }
  }`),
  v.object({
    setFollowing: v.object({
      issues: v.array(convertedShape),
      errors: v.array(v.object({ code: v.string(), field: v.nullable(v.string()), message: v.string() })),
    }),
  }),
);

/** Sets whether the item follows its issue. Resolves with all converted issues. */
export const sendFollowing = (
  client: GraphqlClient,
  input: { issueId: string; issueKey: string; follows: boolean },
): Promise<readonly ConvertedIssue[]> =>
  client.mutate(setFollowing, input, data => data.setFollowing).then(({ issues }) => issues);
