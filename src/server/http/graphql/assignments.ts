import type { AssignmentPreview } from '../../templates/assigned/types.ts';
import { type Assignment, assignmentMoments } from '../../templates/assignments.ts';
import { builder } from './builder.ts';
import { type Answer, AnswerInterface, toAnswer } from './payload.ts';

const Moment = builder.enumType('AssignmentMoment', {
  description: 'CREATED: the issue is new; MOVED: its status changed; FIELD_CHANGED: the value of a field changed.',
  values: assignmentMoments,
});

export const AssignmentType = builder.objectRef<Assignment>('TemplateAssignment').implement({
  description: 'A rule that applies a template automatically, once to each issue.',
  fields: t => ({
    id: t.exposeID('id'),
    templateId: t.id({ resolve: ({ template }) => template }),
    templateName: t.exposeString('templateName', {
      nullable: true,
      description: 'Null where the template was deleted.',
    }),
    projectIds: t.idList({ description: 'Empty for all of the site.', resolve: ({ projects }) => [...projects] }),
    issueTypeIds: t.idList({ description: 'Empty for all.', resolve: ({ issueTypes }) => [...issueTypes] }),
    moment: t.expose('moment', { type: Moment }),
    statusIds: t.idList({
      description: "For MOVED: ids of the tracker's statuses that trigger the rule.",
      resolve: ({ statuses }) => [...statuses],
    }),
    fieldId: t.id({ nullable: true, description: 'For FIELD_CHANGED.', resolve: ({ field }) => field }),
    enabled: t.exposeBoolean('enabled'),
  }),
});

const AssignmentsPayload = builder.objectRef<Answer<Assignment[]>>('TemplateAssignmentsPayload').implement({
  interfaces: [AnswerInterface],
  fields: t => ({
    assignments: t.field({
      type: [AssignmentType],
      nullable: true,
      description: 'All rules for the projects of the rule, in their order.',
      resolve: answer => ('error' in answer ? null : answer.value),
    }),
  }),
});

const PreviewIssue = builder.objectRef<AssignmentPreview['issues'][number]>('PreviewIssue').implement({
  fields: t => ({ id: t.exposeID('id'), key: t.exposeString('key'), summary: t.exposeString('summary') }),
});

const PreviewType = builder.objectRef<AssignmentPreview>('TemplateAssignmentPreview').implement({
  fields: t => ({
    jql: t.exposeString('jql'),
    count: t.exposeInt('count', { nullable: true, description: 'Estimated number of issues; null where unknown.' }),
    issues: t.expose('issues', { type: [PreviewIssue], description: 'The first ones.' }),
  }),
});

const ValuesInput = builder.inputType('TemplateAssignmentInput', {
  fields: t => ({
    templateId: t.id(),
    projectIds: t.idList(),
    issueTypeIds: t.idList(),
    moment: t.field({ type: Moment }),
    statusIds: t.idList({ required: false }),
    fieldId: t.id({ required: false }),
    enabled: t.boolean({ required: false }),
  }),
});

const UpdateInput = builder.inputType('UpdateTemplateAssignmentInput', {
  description: 'Absent values stay unchanged.',
  fields: t => ({
    id: t.id(),
    templateId: t.id({ required: false }),
    projectIds: t.idList({ required: false }),
    issueTypeIds: t.idList({ required: false }),
    moment: t.field({ type: Moment, required: false }),
    statusIds: t.idList({ required: false }),
    fieldId: t.id({ required: false }),
    enabled: t.boolean({ required: false }),
  }),
});

const MoveInput = builder.inputType('MoveTemplateAssignmentInput', {
  fields: t => ({ id: t.id(), before: t.id({ required: false, description: 'Default: to the end.' }) }),
});

const PreviewInput = builder.inputType('TemplateAssignmentPreviewInput', {
  fields: t => ({
    projectIds: t.idList(),
    issueTypeIds: t.idList(),
    moment: t.field({ type: Moment }),
    statusIds: t.idList({ required: false }),
  }),
});

builder.mutationFields(t => ({
  createTemplateAssignment: t.field({
    type: AssignmentsPayload,
    args: { input: t.arg({ type: ValuesInput }) },
    resolve: (_root, { input }, { assignments }) =>
      toAnswer(
        assignments.create({
          template: input.templateId,
          projects: input.projectIds,
          issueTypes: input.issueTypeIds,
          moment: input.moment,
          statuses: input.statusIds ?? [],
          field: input.fieldId ?? null,
          enabled: input.enabled ?? true,
        }),
      ),
  }),
  updateTemplateAssignment: t.field({
    type: AssignmentsPayload,
    args: { input: t.arg({ type: UpdateInput }) },
    resolve: (_root, { input }, { assignments }) => {
      const { id, templateId, projectIds, issueTypeIds, moment, statusIds, fieldId, enabled } = input;
      return toAnswer(
        assignments.update(id, {
          ...(templateId != null && { template: templateId }),
          ...(projectIds != null && { projects: projectIds }),
          ...(issueTypeIds != null && { issueTypes: issueTypeIds }),
          ...(moment != null && { moment }),
          ...(statusIds != null && { statuses: statusIds }),
          ...(fieldId !== undefined && { field: fieldId }),
          ...(enabled != null && { enabled }),
        }),
      );
    },
  }),
  deleteTemplateAssignment: t.field({
    type: AssignmentsPayload,
    args: { id: t.arg.id() },
    resolve: (_root, { id }, { assignments }) => toAnswer(assignments.remove(id)),
  }),
  moveTemplateAssignment: t.field({
    type: AssignmentsPayload,
    args: { input: t.arg({ type: MoveInput }) },
    resolve: (_root, { input }, { assignments }) => toAnswer(assignments.move(input.id, input.before ?? null)),
  }),
}));

builder.queryFields(t => ({
  templateAssignments: t.field({
    type: [AssignmentType],
    description: 'Rules for a project; without one all rules, for administrators of the site.',
    args: { projectId: t.arg.id({ required: false }) },
    resolve: (_root, { projectId }, { assignments }) => assignments.list(projectId ?? undefined),
  }),
  templateAssignmentPreview: t.field({
    type: PreviewType,
    description:
      'Issues of the projects and types of a rule. For MOVED without those that are in one of its statuses now. For CREATED none of them gets the template: only issues that are created after the rule is saved.',
    args: { input: t.arg({ type: PreviewInput }) },
    resolve: (_root, { input }, { assignments }) =>
      assignments.preview({
        projects: input.projectIds,
        issueTypes: input.issueTypeIds,
        moment: input.moment,
        statuses: input.statusIds ?? [],
      }),
  }),
}));
