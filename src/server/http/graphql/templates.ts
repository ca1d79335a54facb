import { successes } from '../../../domain/messages.ts';
import {
  type DeletedTemplate,
  type ListedTemplate,
  type SkippedTemplate,
  type TemplatePage,
  type TemplateRoom,
  templateScopes,
  templateSorts,
} from '../../templates/types.ts';
import { builder } from './builder.ts';
import { type Answer, AnswerInterface, toAnswer } from './payload.ts';

const Sort = builder.enumType('TemplateSort', { values: templateSorts });
const Scope = builder.enumType('TemplateScope', { values: templateScopes });

const onlyProject = {
  nullable: true,
  description: 'Its only project; null for the whole site.',
  resolve: ({ project }: { project: string | null }) => project,
} as const;

const TemplateType = builder.objectRef<ListedTemplate>('Template').implement({
  fields: t => ({
    id: t.exposeID('id'),
    projectId: t.id(onlyProject),
    name: t.exposeString('name'),
    text: t.exposeString('text'),
    itemCount: t.exposeInt('items'),
    isDefault: t.exposeBoolean('isDefault', {
      description: 'It is offered first in the project of the query, else in its own.',
    }),
    isGettingStarted: t.exposeBoolean('gettingStarted', { description: 'A new site starts with it.' }),
    account: t.exposeID('account', { description: 'Author of the last change.' }),
    created: t.string({ description: 'ISO time.', resolve: ({ created }) => created.toISOString() }),
    updated: t.string({ description: 'ISO time.', resolve: ({ updated }) => updated.toISOString() }),
  }),
});

const DeletedTemplateType = builder.objectRef<DeletedTemplate>('DeletedTemplate').implement({
  description: 'A deleted template that restoreTemplate restores.',
  fields: t => ({
    id: t.exposeID('id'),
    projectId: t.id(onlyProject),
    name: t.exposeString('name'),
    itemCount: t.exposeInt('items'),
    deleted: t.string({ description: 'ISO time.', resolve: ({ deleted }) => deleted.toISOString() }),
    restorableUntil: t.string({ description: 'ISO time.', resolve: ({ until }) => until.toISOString() }),
  }),
});

const TemplateRoomType = builder.objectRef<TemplateRoom>('TemplateRoom').implement({
  description: 'Number of templates, and its limit.',
  fields: t => ({ count: t.exposeInt('count'), most: t.exposeInt('most', { nullable: true }) }),
});

const TemplatePageType = builder.objectRef<TemplatePage>('TemplatePage').implement({
  fields: t => ({
    templates: t.expose('templates', { type: [TemplateType] }),
    total: t.exposeInt('total', { description: 'Total number of found templates.' }),
    globalRoom: t.field({ type: TemplateRoomType, resolve: ({ room }) => room.global }),
    projectRoom: t.field({ type: TemplateRoomType, nullable: true, resolve: ({ room }) => room.project }),
  }),
});

const TemplatePayload = builder.objectRef<Answer<ListedTemplate | null>>('TemplatePayload').implement({
  interfaces: [AnswerInterface],
  fields: t => ({
    template: t.field({
      type: TemplateType,
      nullable: true,
      resolve: answer => ('error' in answer ? null : answer.value),
    }),
  }),
});

const NotTakenType = builder.objectRef<SkippedTemplate>('TemplateNotTaken').implement({
  fields: t => ({ name: t.exposeString('name'), message: t.exposeString('message') }),
});

const ImportPayload = builder
  .objectRef<Answer<{ templates: ListedTemplate[]; notTaken: SkippedTemplate[] }>>('ImportTemplatesPayload')
  .implement({
    interfaces: [AnswerInterface],
    fields: t => ({
      templates: t.field({
        type: [TemplateType],
        resolve: answer => ('error' in answer ? [] : answer.value.templates),
      }),
      notTaken: t.field({
        type: [NotTakenType],
        resolve: answer => ('error' in answer ? [] : answer.value.notTaken),
      }),
    }),
  });

const FromTextInput = builder.inputType('CreateTemplateFromTextInput', {
  description: 'Without a project it is for the whole site.',
  fields: t => ({ projectId: t.id({ required: false }), name: t.string(), text: t.string() }),
});

const FromChecklistInput = builder.inputType('CreateTemplateFromChecklistInput', {
  description: 'Without a project it is for the whole site.',
  fields: t => ({
    issueId: t.id(),
    projectId: t.id({ required: false }),
    name: t.string(),
    keepStatuses: t.boolean({ description: 'Items keep their statuses; else all are set to do.' }),
  }),
});

const DuplicateInput = builder.inputType('DuplicateTemplateInput', {
  description: 'The target is the folder of the template, a project, or (projectId: null) the whole site.',
  fields: t => ({
    id: t.id(),
    projectId: t.id({ required: false }),
    name: t.string({ required: false, description: 'Default: the name of the template with a number.' }),
  }),
});

const UpdateInput = builder.inputType('UpdateTemplateInput', {
  description: 'Absent values stay unchanged. projectId: null moves it to the whole site.',
  fields: t => ({
    id: t.id(),
    projectId: t.id({ required: false }),
    name: t.string({ required: false }),
    text: t.string({ required: false }),
    baseText: t.string({
      required: false,
      description: 'Base of the text, for a merge with changes made meanwhile.',
    }),
  }),
});

const ImportInput = builder.inputType('ImportTemplatesInput', {
  description: 'Without a project for the whole site.',
  fields: t => ({ projectId: t.id({ required: false }), file: t.string({ description: "A file's text." }) }),
});

/** Target of a template: unchanged if absent; `null` is the whole site. */
const target = (projectId: string | null | undefined) => (projectId === undefined ? {} : { project: projectId });

builder.mutationFields(t => ({
  createTemplateFromText: t.field({
    type: TemplatePayload,
    args: { input: t.arg({ type: FromTextInput }) },
    resolve: (_root, { input: { projectId, name, text } }, { templates }) =>
      toAnswer(templates.createFromText({ project: projectId ?? null, name, text }), successes.createTemplate),
  }),
  createTemplateFromChecklist: t.field({
    type: TemplatePayload,
    args: { input: t.arg({ type: FromChecklistInput }) },
    resolve: (_root, { input: { issueId, projectId, ...values } }, { templates }) =>
      toAnswer(
        templates.createFromChecklist({ ...values, project: projectId ?? null, issue: issueId }),
        successes.createTemplate,
      ),
  }),
  duplicateTemplate: t.field({
    type: TemplatePayload,
    args: { input: t.arg({ type: DuplicateInput }) },
    resolve: (_root, { input: { id, projectId, name } }, { templates }) =>
      toAnswer(
        templates.duplicate(id, { ...target(projectId), ...(name != null && { name }) }),
        successes.duplicateTemplate,
      ),
  }),
  updateTemplate: t.field({
    type: TemplatePayload,
    args: { input: t.arg({ type: UpdateInput }) },
    resolve: (_root, { input: { id, projectId, name, text, baseText } }, { templates }) =>
      toAnswer(
        templates.update(id, {
          ...target(projectId),
          ...(name != null && { name }),
          ...(text != null && { text: { text, ...(baseText != null && { base: baseText }) } }),
        }),
      ),
  }),
  deleteTemplate: t.field({
    type: TemplatePayload,
    description: 'It can be undone for some time by restoreTemplate.',
    args: { id: t.arg.id() },
    resolve: (_root, { id }, { templates }) => toAnswer(templates.remove(id), successes.deleteTemplate),
  }),
  restoreTemplate: t.field({
    type: TemplatePayload,
    args: { id: t.arg.id() },
    resolve: (_root, { id }, { templates }) => toAnswer(templates.restore(id)),
  }),
  setDefaultTemplate: t.field({
    type: TemplatePayload,
    description:
      'Sets the template that a project, or without one the site, offers first. templateId: null is none, in a project also not the site’s.',
    args: { projectId: t.arg.id({ required: false }), templateId: t.arg.id({ required: false }) },
    resolve: (_root, { projectId, templateId }, { templates }) =>
      toAnswer(templates.setDefault(projectId ?? null, templateId ?? null)),
  }),
  importTemplates: t.field({
    type: ImportPayload,
    description: 'Imports the templates of a file of exportTemplates. One whose name is taken gets a number.',
    args: { input: t.arg({ type: ImportInput }) },
    resolve: (_root, { input: { projectId, file } }, { templates }) =>
      toAnswer(templates.import({ project: projectId ?? null, file })),
  }),
}));

const DEFAULT_PAGE_SIZE = 50;

builder.queryFields(t => ({
  templates: t.field({
    type: TemplatePageType,
    description: 'Templates that can be used in a project. Without one, all of the site, for its administrators.',
    args: {
      projectId: t.arg.id({ required: false }),
      scope: t.arg({
        type: Scope,
        required: false,
        description: 'GLOBAL: of the whole site; PROJECT: of one project.',
      }),
      search: t.arg.string({ required: false, description: 'Part of a name.' }),
      sort: t.arg({ type: Sort, required: false }),
      descending: t.arg.boolean({ required: false }),
      first: t.arg.int({ required: false, description: `Page size, 1 to 100; default ${DEFAULT_PAGE_SIZE}.` }),
      skip: t.arg.int({ required: false, description: 'Number of templates to skip.' }),
    },
    resolve: (_root, { projectId, scope, search, sort, descending, first, skip }, { templates }) =>
      templates.list({
        ...(projectId != null && { project: projectId }),
        scope: scope ?? 'ALL',
        search: search ?? '',
        sort: sort ?? 'NAME',
        descending: descending ?? false,
        first: first ?? DEFAULT_PAGE_SIZE,
        skip: skip ?? 0,
      }),
  }),
  template: t.field({
    type: TemplateType,
    args: {
      id: t.arg.id(),
      projectId: t.arg.id({ required: false, description: 'The project in which a template of the site is used.' }),
    },
    resolve: (_root, { id, projectId }, { templates }) => templates.find(id, projectId ?? undefined),
  }),
  deletedTemplates: t.field({
    type: [DeletedTemplateType],
    description:
      'Deleted templates that can be restored, newest deletion first. Without a project those of the whole site, for its administrators.',
    args: { projectId: t.arg.id({ required: false }) },
    resolve: (_root, { projectId }, { templates }) => templates.deleted(projectId ?? undefined),
  }),
  exportTemplates: t.string({
    description:
      "A file's text with templates of a project, or without one of the whole site; without ids, all of them.",
    args: { projectId: t.arg.id({ required: false }), ids: t.arg.idList({ required: false }) },
    resolve: (_root, { projectId, ids }, { templates }) =>
      templates.export({ project: projectId ?? null, ids: ids ?? [] }),
  }),
}));
