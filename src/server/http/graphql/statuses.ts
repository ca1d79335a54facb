import { statusColors } from '../../../domain/colors.ts';
import { successes } from '../../../domain/messages.ts';
import type { ManagedStatus, StatusesChanged, StatusUse } from '../../statuses/types.ts';
import { builder } from './builder.ts';
import { JobType } from './jobs.ts';
import { type Answer, AnswerInterface, toAnswer } from './payload.ts';

export const Color = builder.enumType('StatusColor', { values: statusColors });

const StatusType = builder.objectRef<ManagedStatus>('Status').implement({
  fields: t => ({
    slug: t.exposeID('slug'),
    name: t.exposeString('name'),
    color: t.expose('color', { type: Color }),
    checked: t.exposeBoolean('checked', { description: 'Whether an item with this status counts as complete.' }),
    projectId: t.id({
      nullable: true,
      description: 'The only project that has it.',
      resolve: ({ project }) => project,
    }),
    builtIn: t.exposeBoolean('builtIn', { description: 'Its flag cannot be changed, and it cannot be deleted.' }),
    former: t.exposeStringList('former', { description: 'Former names, which are still read in texts.' }),
    going: t.exposeBoolean('going', {
      description: 'It is being deleted: it is still read in texts, but cannot be set.',
    }),
  }),
});

const StatusUseType = builder.objectRef<StatusUse>('StatusUse').implement({
  fields: t => ({ items: t.exposeInt('items'), issues: t.exposeInt('issues'), templates: t.exposeInt('templates') }),
});

const StatusesPayload = builder.objectRef<Answer<StatusesChanged>>('StatusesPayload').implement({
  interfaces: [AnswerInterface],
  fields: t => ({
    statuses: t.field({
      type: [StatusType],
      nullable: true,
      description: 'Current statuses of the project or the site.',
      resolve: answer => ('error' in answer ? null : answer.value.statuses),
    }),
    job: t.field({
      type: JobType,
      nullable: true,
      description: 'Updates texts with the status, if any.',
      resolve: answer => ('error' in answer ? null : answer.value.job),
    }),
  }),
});

const CreateInput = builder.inputType('CreateStatusInput', {
  description: 'Without a project for the whole site.',
  fields: t => ({
    projectId: t.id({ required: false }),
    name: t.string(),
    color: t.field({ type: Color }),
    checked: t.boolean(),
  }),
});

const UpdateInput = builder.inputType('UpdateStatusInput', {
  description: 'Absent values stay unchanged. Of a built-in status only name and color can be changed.',
  fields: t => ({
    slug: t.id(),
    name: t.string({ required: false }),
    color: t.field({ type: Color, required: false }),
    checked: t.boolean({ required: false }),
  }),
});

const DeleteInput = builder.inputType('DeleteStatusInput', {
  fields: t => ({ slug: t.id(), moveTo: t.id({ description: 'Slug of the status that its items get.' }) }),
});

const ReorderInput = builder.inputType('ReorderStatusesInput', {
  description: "All statuses of the project itself, or of the site. A project's follow the site's.",
  fields: t => ({
    projectId: t.id({ required: false }),
    slugs: t.idList({ description: 'In the new order.' }),
    seen: t.idList({ description: 'In the previous order, as known to the caller.' }),
  }),
});

builder.mutationFields(t => ({
  createStatus: t.field({
    type: StatusesPayload,
    args: { input: t.arg({ type: CreateInput }) },
    resolve: (_root, { input: { projectId, ...values } }, { statuses }) =>
      toAnswer(statuses.create({ ...values, project: projectId ?? null }), successes.createStatus),
  }),
  updateStatus: t.field({
    type: StatusesPayload,
    args: { input: t.arg({ type: UpdateInput }) },
    resolve: (_root, { input: { slug, name, color, checked } }, { statuses }) =>
      toAnswer(
        statuses.update(slug, {
          ...(name != null && { name }),
          ...(color != null && { color }),
          ...(checked != null && { checked }),
        }),
        successes.updateStatus,
      ),
  }),
  deleteStatus: t.field({
    type: StatusesPayload,
    args: { input: t.arg({ type: DeleteInput }) },
    resolve: (_root, { input }, { statuses }) =>
      toAnswer(statuses.remove(input.slug, input.moveTo), successes.deleteStatus),
  }),
  reorderStatuses: t.field({
    type: StatusesPayload,
    args: { input: t.arg({ type: ReorderInput }) },
    resolve: (_root, { input: { projectId, ...order } }, { statuses }) =>
      toAnswer(statuses.reorder({ ...order, project: projectId ?? null }), successes.orderStatuses),
  }),
}));

builder.queryFields(t => ({
  statuses: t.field({
    type: [StatusType],
    description: 'Statuses of a project or an issue, in their order; without either, those of the site.',
    args: { projectId: t.arg.id({ required: false }), issueId: t.arg.id({ required: false }) },
    resolve: (_root, { projectId, issueId }, { statuses }) =>
      statuses.list({ ...(projectId != null && { project: projectId }), ...(issueId != null && { issue: issueId }) }),
  }),
  statusUse: t.field({
    type: StatusUseType,
    description: 'Uses of a custom status.',
    args: { slug: t.arg.id() },
    resolve: (_root, { slug }, { statuses }) => statuses.use(slug),
  }),
}));
