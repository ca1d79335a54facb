import type { AssignmentPreview } from '../assignments/types.ts';
import { type Assignment, assignmentMoments } from '../templates/assignments.ts';
import { builder } from './builder.ts';
import { type Answer, AnswerInterface, answered } from './payload.ts';

const Moment = builder.enumType('AssignmentMoment', {
  description: 'CREATED: the issue is new; MOVED: it came to another status; FIELD_CHANGED: a field has another value.',
  values: assignmentMoments,
});

export const AssignmentType = builder.objectRef<Assignment>('TemplateAssignment').implement({
  description: 'A rule that applies a template by itself, once to each issue.',
  fields: t => ({
    id: t.exposeID('id'),
    templateId: t.id({ resolve: ({ template }) => template }),
    templateName: t.exposeString('templateName', { nullable: true, description: 'Null where the template is gone.' }),
    projectIds: t.idList({ description: 'None are all of the site.', resolve: ({ projects }) => [...projects] }),
    issueTypeIds: t.idList({ description: 'None are all.', resolve: ({ issueTypes }) => [...issueTypes] }),
    moment: t.expose('moment', { type: Moment }),
    statusIds: t.idList({
      description: "For MOVED: the tracker's statuses to which the issue comes.",
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
      description: 'All that concern the projects of the rule, in their order.',
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
    count: t.exposeInt('count', { nullable: true, description: 'About how many; null when the tracker does not say.' }),
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
  description: 'What is left out stays.',
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
  fields: t => ({ id: t.id(), before: t.id({ required: false, description: 'Without another one, the end.' }) }),
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
      answered(
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
      return answered(
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
    resolve: (_root, { id }, { assignments }) => answered(assignments.remove(id)),
  }),
  moveTemplateAssignment: t.field({
    type: AssignmentsPayload,
    args: { input: t.arg({ type: MoveInput }) },
    resolve: (_root, { input }, { assignments }) => answered(assignments.move(input.id, input.before ?? null)),
  }),
}));

builder.queryFields(t => ({
  templateAssignments: t.field({
    type: [AssignmentType],
    description: 'Those that concern a project; without one all, for administrators of the site.',
    args: { projectId: t.arg.id({ required: false }) },
    resolve: (_root, { projectId }, { assignments }) => assignments.list(projectId ?? undefined),
  }),
  templateAssignmentPreview: t.field({
    type: PreviewType,
    description: 'Which issues a rule would touch if each came to its moment now.',
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
