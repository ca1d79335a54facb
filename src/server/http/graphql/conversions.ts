import type { ConvertedIssue } from '../../checklists/commit/conversions.ts';
import { builder } from './builder.ts';
import { type Answer, AnswerInterface, toAnswer } from './payload.ts';

const ConvertedIssueType = builder.objectRef<ConvertedIssue>('ConvertedIssue').implement({
  description: 'An issue that an item was converted to.',
  fields: t => ({
    issueKey: t.exposeString('issueKey'),
    follows: t.exposeBoolean('follows', { description: 'The item is completed and reopened with the issue.' }),
  }),
});

const FollowingPayload = builder.objectRef<Answer<ConvertedIssue[]>>('FollowingPayload').implement({
  description: 'The converted issues of the checklist; or the reasons of a refusal.',
  interfaces: [AnswerInterface],
  fields: t => ({
    issues: t.field({
      type: [ConvertedIssueType],
      resolve: answer => ('error' in answer ? [] : answer.value),
    }),
  }),
});

builder.queryField('convertedIssues', t =>
  t.field({
    type: [ConvertedIssueType],
    description: "The issues that items of an issue's checklist were converted to.",
    args: { issueId: t.arg.id() },
    resolve: (_root, { issueId }, { checklists }) => checklists.converted(issueId),
  }),
);

builder.mutationField('setFollowing', t =>
  t.field({
    type: FollowingPayload,
    description: 'Sets whether an item is completed and reopened with the issue that it was converted to.',
    args: { issueId: t.arg.id(), issueKey: t.arg.string(), follows: t.arg.boolean() },
    resolve: (_root, { issueId, ...set }, { checklists }) => toAnswer(checklists.follow(issueId, set)),
  }),
);
