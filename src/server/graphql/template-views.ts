import type {
  FiledTemplate,
  ListedVersion,
  TemplateFolder,
  TemplateTree,
  TemplateUsage,
  TemplateVersion,
  TemplateVersions,
} from '../templates/types.ts';
import { AssignmentType } from './assignments.ts';
import { builder } from './builder.ts';

/** What somebody who writes templates looks at beside them: all others, what they said, and where they are at work. */

const FiledType = builder.objectRef<FiledTemplate>('FiledTemplate').implement({
  fields: t => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    itemCount: t.exposeInt('items'),
    isDefault: t.exposeBoolean('isDefault', { description: 'It is offered first where it belongs.' }),
    updated: t.string({ description: 'ISO time.', resolve: ({ updated }) => updated.toISOString() }),
  }),
});

const FolderType = builder.objectRef<TemplateFolder>('TemplateFolder').implement({
  description: 'The templates of one project, or of the whole site, by name.',
  fields: t => ({
    projectId: t.id({ nullable: true, description: 'Null for the whole site.', resolve: ({ project }) => project }),
    mayChange: t.exposeBoolean('mayChange', { description: 'Templates can be added here, and these be changed.' }),
    templates: t.expose('templates', { type: [FiledType] }),
  }),
});

const TreeType = builder.objectRef<TemplateTree>('TemplateTree').implement({
  description: 'A page of templates, by name, each in its folder.',
  fields: t => ({
    folders: t.expose('folders', {
      type: [FolderType],
      description: 'The whole site first, then projects of which there are templates on this page.',
    }),
    next: t.exposeID('next', { nullable: true, description: 'Ask for those after it; null where there are no more.' }),
  }),
});

const about = {
  version: 'Counted from 1.',
  project: 'The only project that it was for; null for the whole site.',
  account: 'Who wrote it: an account id, empty where the add-on did by itself.',
  created: 'ISO time.',
};

const ListedVersionType = builder.objectRef<ListedVersion>('TemplateVersionEntry').implement({
  description: 'What a template said, without its text.',
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
      description: 'Ask for those before it; null where no older one is kept.',
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
      description: 'Issues to which it was added, and whose checklist was not emptied or replaced since.',
    }),
    rules: t.expose('rules', {
      type: [AssignmentType],
      nullable: true,
      description: 'Those that add it by themselves; null for whoever may not see rules.',
    }),
  }),
});

/** Versions on a page unless asked otherwise. */
const PAGE = 30;
const where = 'Where one of the whole site is to be used.';

builder.queryFields(t => ({
  templateTree: t.field({
    type: TreeType,
    description: 'All templates that the caller may use anywhere, in the folders where they belong.',
    args: {
      projectId: t.arg.id({ required: false, description: 'One that is to be among them, though it may have none.' }),
      after: t.arg.id({ required: false, description: 'Only those after this one.' }),
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
      first: t.arg.int({ required: false, description: `At most so many, 1 to 100; ${PAGE} when left out.` }),
    },
    resolve: (_root, { id, projectId, before, first }, { templates }) =>
      templates.versions(id, {
        ...(projectId != null && { project: projectId }),
        ...(before != null && { before }),
        first: first ?? PAGE,
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
