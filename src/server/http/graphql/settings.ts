import type { TrackerField } from '../../platform/tracker/fields.ts';
import {
  type GettingStarted,
  type Holders,
  type ProjectSettingsView,
  type SiteSettings,
  type SiteSettingsView,
  type TextField,
  textFieldModes,
} from '../../settings/types.ts';
import { builder } from './builder.ts';
import { type Answer, AnswerInterface, toAnswer } from './payload.ts';
import { PortalModeType } from './portal.ts';

const TextFieldMode = builder.enumType('TextFieldMode', {
  description: "The text field that is kept equal to the checklist: the app's own, a chosen one, or none.",
  values: textFieldModes,
});

const FieldType = builder.objectRef<TrackerField>('TrackerField').implement({
  fields: t => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    own: t.exposeBoolean('own', { description: "It is the app's own, from the descriptor." }),
  }),
});

const SiteSettingsType = builder.objectRef<SiteSettingsView>('SiteSettings').implement({
  fields: t => ({
    managePermissions: t.exposeBoolean('managePermissions'),
    viewPermissions: t.exposeBoolean('viewPermissions'),
    analytics: t.exposeBoolean('analytics', { description: 'Usage may be counted.' }),
    gettingStartedTemplateId: t.id({
      nullable: true,
      resolve: ({ gettingStartedTemplate }) => gettingStartedTemplate,
    }),
    starterTemplates: t.exposeBoolean('starters', { description: 'The starter templates are offered.' }),
    textField: t.field({ type: TextFieldMode, resolve: ({ textField }) => textField.mode }),
    textFieldId: t.id({
      nullable: true,
      resolve: ({ textField }) => (textField.mode === 'CHOSEN' ? textField.field : null),
    }),
    fields: t.expose('fields', { type: [FieldType], description: 'Text fields for CHOSEN.' }),
  }),
});

const ProjectSettingsType = builder.objectRef<ProjectSettingsView>('ProjectSettings').implement({
  fields: t => ({
    showInCenter: t.exposeBoolean('showInCenter', { description: 'The panel is below the description.' }),
    portal: t.expose('portal', { type: PortalModeType }),
    portalModes: t.field({
      type: [PortalModeType],
      description: 'The modes that can be chosen.',
      resolve: ({ portalModes }) => [...portalModes],
    }),
    service: t.exposeBoolean('service', { description: 'The project has a portal.' }),
  }),
});

const HoldersType = builder.objectRef<Holders>('PermissionHolders').implement({
  fields: t => ({
    permission: t.exposeString('permission', { description: "The tracker's key." }),
    known: t.exposeBoolean('known', { description: 'The tracker answered the search.' }),
    accounts: t.idList({ resolve: ({ accounts }) => accounts }),
    more: t.exposeBoolean('more'),
  }),
});

const DemoType = builder.objectRef<GettingStarted['demo']>('DemoTemplate').implement({
  fields: t => ({ name: t.exposeString('name'), text: t.exposeString('text') }),
});

const GettingStartedType = builder.objectRef<GettingStarted>('GettingStarted').implement({
  fields: t => ({
    hasChecklist: t.exposeBoolean('hasChecklist'),
    hasTemplate: t.exposeBoolean('hasTemplate'),
    templateId: t.id({ nullable: true, resolve: ({ template }) => template?.id }),
    templateName: t.string({ nullable: true, resolve: ({ template }) => template?.name }),
    demo: t.expose('demo', { type: DemoType }),
  }),
});

const SiteSettingsPayload = builder.objectRef<Answer<SiteSettingsView>>('SiteSettingsPayload').implement({
  interfaces: [AnswerInterface],
  fields: t => ({
    settings: t.field({
      type: SiteSettingsType,
      nullable: true,
      resolve: answer => ('error' in answer ? null : answer.value),
    }),
  }),
});

const ProjectSettingsPayload = builder.objectRef<Answer<ProjectSettingsView>>('ProjectSettingsPayload').implement({
  interfaces: [AnswerInterface],
  fields: t => ({
    settings: t.field({
      type: ProjectSettingsType,
      nullable: true,
      resolve: answer => ('error' in answer ? null : answer.value),
    }),
  }),
});

const RemovalPayload = builder.objectRef<Answer<true>>('RemoveSiteDataPayload').implement({
  interfaces: [AnswerInterface],
  fields: t => ({ removed: t.boolean({ resolve: answer => !('error' in answer) }) }),
});

const ErasurePayload = builder.objectRef<Answer<number>>('ErasePersonPayload').implement({
  interfaces: [AnswerInterface],
  fields: t => ({
    checklists: t.int({
      nullable: true,
      description: 'How many checklists mentioned the person.',
      resolve: answer => ('error' in answer ? null : answer.value),
    }),
  }),
});

const RulesEditedPayload = builder.objectRef<Answer<true>>('WorkflowRulesEditedPayload').implement({
  interfaces: [AnswerInterface],
  fields: t => ({ noted: t.boolean({ resolve: answer => !('error' in answer) }) }),
});

const SiteInput = builder.inputType('UpdateSiteSettingsInput', {
  description: 'Absent values stay unchanged. gettingStartedTemplateId: null is none.',
  fields: t => ({
    managePermissions: t.boolean({ required: false }),
    viewPermissions: t.boolean({ required: false }),
    analytics: t.boolean({ required: false }),
    gettingStartedTemplateId: t.id({ required: false }),
    starterTemplates: t.boolean({ required: false }),
    textField: t.field({ type: TextFieldMode, required: false }),
    textFieldId: t.id({ required: false, description: 'For CHOSEN.' }),
  }),
});

const ProjectInput = builder.inputType('UpdateProjectSettingsInput', {
  description: 'Absent values stay unchanged.',
  fields: t => ({
    projectId: t.id(),
    showInCenter: t.boolean({ required: false }),
    portal: t.field({ type: PortalModeType, required: false }),
  }),
});

/** An empty id, which no field has, stands for a missing one. */
const textFieldOf = (mode: TextField['mode'], id: string | null | undefined): TextField =>
  mode === 'CHOSEN' ? { mode, field: id ?? '' } : { mode };

builder.mutationFields(t => ({
  updateSiteSettings: t.field({
    type: SiteSettingsPayload,
    args: { input: t.arg({ type: SiteInput }) },
    resolve: (_root, { input }, { settings }) => {
      const { managePermissions, viewPermissions, analytics, gettingStartedTemplateId } = input;
      const { starterTemplates, textField, textFieldId } = input;
      const values: Partial<SiteSettings> = {
        ...(managePermissions != null && { managePermissions }),
        ...(viewPermissions != null && { viewPermissions }),
        ...(analytics != null && { analytics }),
        ...(gettingStartedTemplateId !== undefined && { gettingStartedTemplate: gettingStartedTemplateId }),
        ...(starterTemplates != null && { starters: starterTemplates }),
        ...(textField != null && { textField: textFieldOf(textField, textFieldId) }),
      };
      return toAnswer(settings.updateSite(values));
    },
  }),
  updateProjectSettings: t.field({
    type: ProjectSettingsPayload,
    args: { input: t.arg({ type: ProjectInput }) },
    resolve: (_root, { input: { projectId, showInCenter, portal } }, { settings }) =>
      toAnswer(
        settings.updateProject(projectId, {
          ...(showInCenter != null && { showInCenter }),
          ...(portal != null && { portal }),
        }),
      ),
  }),
  erasePerson: t.field({
    type: ErasurePayload,
    description: 'Erases a person from all that is stored: mentions become "Former user".',
    args: { accountId: t.arg.id() },
    resolve: (_root, { accountId }, { settings }) => toAnswer(settings.erasePerson(accountId)),
  }),
  workflowRulesEdited: t.field({
    type: RulesEditedPayload,
    description:
      'An administrator has saved a workflow rule: for half an hour, what rules check is read again after a minute.',
    resolve: (_root, _args, { settings }) => toAnswer(settings.workflowRulesEdited().then(() => true as const)),
  }),
  removeSiteData: t.field({
    type: RemovalPayload,
    description: 'Deletes all stored data of the site. Data in the tracker stays.',
    args: { confirm: t.arg.string({ description: "The site's URL, for confirmation." }) },
    resolve: (_root, { confirm }, { settings }) => toAnswer(settings.removeData(confirm).then(() => true as const)),
  }),
}));

builder.queryFields(t => ({
  siteSettings: t.field({
    type: SiteSettingsType,
    resolve: (_root, _args, { settings }) => settings.site(),
  }),
  projectSettings: t.field({
    type: ProjectSettingsType,
    args: { projectId: t.arg.id() },
    resolve: (_root, { projectId }, { settings }) => settings.project(projectId),
  }),
  permissionHolders: t.field({
    type: [HoldersType],
    description: "Accounts with each of the app's permissions in a project.",
    args: { projectId: t.arg.id() },
    resolve: (_root, { projectId }, { settings }) => settings.holders(projectId),
  }),
  gettingStarted: t.field({
    type: GettingStartedType,
    resolve: (_root, _args, { settings }) => settings.gettingStarted(),
  }),
}));
