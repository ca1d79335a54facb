import { GraphQLEnumType } from 'graphql/index.js';
import * as v from 'valibot';
import { schema } from '../../../src/server/http/graphql/schema.ts';
import { PROJECT } from '../support/issue-creation.ts';

/** What earlier answers tell, for later calls: the newest id by operation, and positions of the checklist. */
export interface Known {
  issue: string;
  id(operation: string): string;
  position: { epoch: string; seq: number; hash: string };
}

type Variables = Record<string, unknown>;

const first = (name: string): string => {
  const type = schema.getType(name);
  const [value] = type instanceof GraphQLEnumType ? type.getValues() : [];
  if (!value) throw new Error(`No value of ${name}.`);
  return value.name;
};

const at = { projectId: PROJECT };
const today = '2026-11-26';

/** How each operation of a client is called, in an order in which one finds what another has made. */
export const calls: Readonly<Record<string, (known: Known) => Variables>> = {
  getFeatureFlags: () => ({}),
  changeChecklist: ({ issue, position }) => ({
    input: {
      ...{ issueId: issue, clientId: 'c1', base: { ...position, text: '' } },
      change: { kind: 'updateChecklistFromText', text: '# One\n- a\n- b 2026-12-01', name: 'Release' },
    },
  }),
  getChecklist: ({ issue }) => ({ issueId: issue }),
  checklistSummaries: ({ issue }) => ({ issueIds: [issue] }),
  getHistory: ({ issue }) => ({ issueId: issue }),
  getRevision: ({ issue, position: { epoch, seq } }) => ({ issueId: issue, epoch, seq }),
  getConflicts: ({ issue, position: { epoch, seq } }) => ({ issueId: issue, after: { epoch, seq } }),
  getTouches: ({ issue }) => ({ issueId: issue }),
  getConvertedIssues: ({ issue }) => ({ issueId: issue }),
  setFollowing: ({ issue }) => ({ issueId: issue, issueKey: 'P-1', follows: true }),
  getEditors: ({ issue }) => ({ subjectId: issue }),
  placeEditor: ({ issue }) => ({ subjectId: issue, row: 1, mark: 'm1' }),
  editRow: ({ issue }) => ({ issueId: issue, row: 1, mark: 'm1' }),
  reportSeen: ({ issue }) => ({ issueId: issue }),
  getAssignedItems: () => ({ today }),
  getAssignedCounts: () => ({ today }),
  getNotifications: ({ issue }) => ({ issueId: issue }),
  chooseNotifications: () => ({ mode: first('NotifyMode') }),
  muteNotifications: ({ issue }) => ({ issueId: issue, muted: true }),

  createTemplateFromText: () => ({ input: { name: 'A template', text: '- t', ...at } }),
  createTemplateFromChecklist: ({ issue }) => ({
    input: { issueId: issue, name: 'Of a checklist', keepStatuses: false, ...at },
  }),
  duplicateTemplate: ({ id }) => ({ input: { id: id('createTemplateFromText') } }),
  updateTemplate: ({ id }) => ({ input: { id: id('createTemplateFromText'), name: 'Another name', text: '- u' } }),
  getTemplates: () => ({ ...at, first: 10 }),
  getTemplateNames: () => ({ ...at, first: 10 }),
  getTemplateTree: () => at,
  getTemplate: ({ id }) => ({ id: id('createTemplateFromText'), ...at }),
  getTemplateVersions: ({ id }) => ({ id: id('createTemplateFromText'), ...at }),
  getTemplateVersion: ({ id }) => ({ id: id('createTemplateFromText'), ...at, version: 1 }),
  getTemplateUsage: ({ id }) => ({ id: id('createTemplateFromText'), ...at }),
  setDefaultTemplate: ({ id }) => ({ ...at, templateId: id('createTemplateFromText') }),
  exportTemplates: () => at,
  importTemplates: () => ({
    input: {
      file: JSON.stringify({
        ...{ format: 'smart-checklist-templates', version: 1 },
        templates: [{ name: 'Imported', text: '- i' }],
      }),
      ...at,
    },
  }),
  getAssignments: () => at,
  previewAssignment: () => ({ input: { issueTypeIds: [], moment: first('AssignmentMoment'), projectIds: [PROJECT] } }),
  createTemplateAssignment: ({ id }) => ({
    input: {
      ...{ issueTypeIds: [], moment: first('AssignmentMoment'), projectIds: [PROJECT] },
      templateId: id('createTemplateFromText'),
    },
  }),
  updateTemplateAssignment: ({ id }) => ({ input: { id: id('createTemplateAssignment'), enabled: false } }),
  moveTemplateAssignment: ({ id }) => ({ input: { id: id('createTemplateAssignment') } }),
  deleteTemplateAssignment: ({ id }) => ({ id: id('createTemplateAssignment') }),
  deleteTemplate: ({ id }) => ({ id: id('duplicateTemplate') }),
  restoreTemplate: ({ id }) => ({ id: id('duplicateTemplate') }),

  createStatus: () => ({ input: { name: 'Waiting', color: first('StatusColor'), checked: false } }),
  updateStatus: ({ id }) => ({ input: { slug: id('createStatus'), name: 'Blocked' } }),
  getStatuses: () => at,
  getStatusUse: ({ id }) => ({ slug: id('createStatus') }),
  getStatusJobs: () => ({ scope: at }),
  reorderStatuses: () => ({ input: { seen: [], slugs: [] } }),
  deleteStatus: () => ({ input: { slug: 'waiting', moveTo: 'todo' } }),

  getGettingStarted: () => ({}),
  getSiteSettings: () => ({}),
  updateSiteSettings: () => ({ input: { analytics: true } }),
  getProjectSettings: () => at,
  updateProjectSettings: () => ({ input: { ...at, showInCenter: true } }),
  getHolders: () => at,
  getInheritance: () => ({}),
  inheritChecklists: () => ({}),
  createApiToken: () => ({ input: { name: 'A token', projectIds: [PROJECT], scope: first('ApiTokenScope') } }),
  getApiTokens: () => ({}),
  revokeApiToken: ({ id }) => ({ id: id('createApiToken') }),
  createWebhook: () => ({
    input: {
      ...{ name: 'A webhook', direction: 'OUTGOING', url: 'https://hooks.example/in', projectIds: [PROJECT] },
      events: ['checklist.completed'],
    },
  }),
  getWebhooks: () => at,
  getWebhookCalls: ({ id }) => ({ id: id('createWebhook') }),
  updateWebhook: ({ id }) => ({ input: { id: id('createWebhook'), enabled: false } }),
  testWebhook: ({ id }) => ({ id: id('createWebhook') }),
  deleteWebhook: ({ id }) => ({ id: id('createWebhook') }),
  synchronizeStorages: ({ issue }) => ({ input: { issueId: issue } }),
  importFromIssueChecklist: ({ issue }) => ({
    input: { issueId: issue, mode: first('ImportMode'), dryRun: true },
  }),
  getJob: ({ id }) => ({ id: id('synchronizeStorages') }),
  removeSiteData: () => ({ confirm: 'no' }),
};

const identified = v.object({ id: v.string() });
const named = v.object({ slug: v.string() });

/** The first id within a payload. */
export function idIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (v.is(identified, value)) return value.id;
  if (v.is(named, value)) return value.slug;
  for (const inner of Object.values(value)) {
    const found = idIn(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
