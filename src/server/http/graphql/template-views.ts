import type {
  FiledTemplate,
  ListedVersion,
  TemplateFolder,
  TemplateTree,
  TemplateUsage,
  TemplateVersion,
  TemplateVersions,
} from '../../templates/types.ts';
import { AssignmentType } from './assignments.ts';
import { builder } from './builder.ts';

const FiledType = builder.objectRef<FiledTemplate>('FiledTemplate').implement({
  fields: t => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    itemCount: t.exposeInt('items'),
    isDefault: t.exposeBoolean('isDefault', { description: 'It is offered first in its project, or on the site.' }),
    updated: t.string({ description: 'ISO time.', resolve: ({ updated }) => updated.toISOString() }),
  }),
});

const FolderType = builder.objectRef<TemplateFolder>('TemplateFolder').implement({
  description: 'The templates of one project, or of the whole site, by name.',
  fields: t => ({
    projectId: t.id({ nullable: true, description: 'Null for the whole site.', resolve: ({ project }) => project }),
    mayChange: t.exposeBoolean('mayChange', { description: 'The caller can add and change templates here.' }),
    templates: t.expose('templates', { type: [FiledType] }),
  }),
});

const TreeType = builder.objectRef<TemplateTree>('TemplateTree').implement({
  description: 'A page of templates, by name, each in its folder.',
  fields: t => ({
    folders: t.expose('folders', {
      type: [FolderType],
      description: 'The whole site first, then projects with templates on this page.',
    }),
    next: t.exposeID('next', { nullable: true, description: 'Cursor of the next page; null after the last.' }),
  }),
});

const about = {
  version: 'Counted from 1.',
  project: 'Its only project; null for the whole site.',
  account: 'Account id of the author; empty where the app wrote it automatically.',
  created: 'ISO time.',
};

const ListedVersionType = builder.objectRef<ListedVersion>('TemplateVersionEntry').implement({
  description: 'A version of a template, without its text.',
  fields: t => ({
    version: t.exposeInt('version', { description: about.version }),
    projectId: t.id({ nullable: true, description: about.project, resolve: ({ project }) => project }),
    name: t.exposeString('name'),
    itemCount: t.exposeInt('items'),
    account: t.exposeString('account', { description: about.account }),
    created: t.string({ description: about.created, resolve: ({ created }) => created.toISOString() }),
  }),
});

const VersionsType = builder.objectRef<TemplateVersions>('TemplateVersions').implement({
  description: 'Newest first.',
  fields: t => ({
    versions: t.expose('versions', { type: [ListedVersionType] }),
    next: t.exposeInt('next', {
      nullable: true,
      description: 'Cursor of the next page; null after the last.',
    }),
  }),
});

const VersionType = builder.objectRef<TemplateVersion>('TemplateVersion').implement({
  fields: t => ({
    version: t.exposeInt('version', { description: about.version }),
    name: t.exposeString('name'),
    text: t.exposeString('text'),
  }),
});

const UsageType = builder.objectRef<TemplateUsage>('TemplateUsage').implement({
  fields: t => ({
    issueCount: t.exposeInt('issues', {
      description: 'Issues to which it was added and whose checklist was not emptied or replaced since then.',
    }),
    rules: t.expose('rules', {
      type: [AssignmentType],
      nullable: true,
      description: 'Rules that apply it automatically; null without the permission to see rules.',
    }),
  }),
});

const DEFAULT_PAGE_SIZE = 30;
const where = 'The project in which a template of the site is used.';

builder.queryFields(t => ({
  templateTree: t.field({
    type: TreeType,
    description: 'All templates that the caller can use, in their folders.',
    args: {
      projectId: t.arg.id({ required: false, description: 'A project to include even without templates.' }),
      after: t.arg.id({ required: false, description: 'Cursor: `next` of the previous page.' }),
    },
    resolve: (_root, { projectId, after }, { templates }) =>
      templates.tree({ ...(projectId != null && { project: projectId }), ...(after != null && { after }) }),
  }),
  templateVersions: t.field({
    type: VersionsType,
    args: {
      id: t.arg.id(),
      projectId: t.arg.id({ required: false, description: where }),
      before: t.arg.int({ required: false }),
      first: t.arg.int({ required: false, description: `Page size, 1 to 100; default ${DEFAULT_PAGE_SIZE}.` }),
    },
    resolve: (_root, { id, projectId, before, first }, { templates }) =>
      templates.versions(id, {
        ...(projectId != null && { project: projectId }),
        ...(before != null && { before }),
        first: first ?? DEFAULT_PAGE_SIZE,
      }),
  }),
  templateVersion: t.field({
    type: VersionType,
    args: {
      id: t.arg.id(),
      projectId: t.arg.id({ required: false, description: where }),
      version: t.arg.int(),
    },
    resolve: (_root, { id, projectId, version }, { templates }) =>
      templates.version(id, version, projectId ?? undefined),
  }),
  templateUsage: t.field({
    type: UsageType,
    args: { id: t.arg.id(), projectId: t.arg.id({ required: false, description: where }) },
    resolve: (_root, { id, projectId }, { templates }) => templates.usage(id, projectId ?? undefined),
  }),
}));
