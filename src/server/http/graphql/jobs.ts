import { jobs as messages, successes } from '../../../domain/messages.ts';
import type { RefusedCopies } from '../../copies/records/refused-copies.ts';
import type { Inheritance, StoredData } from '../../jobs/callers.ts';
import { importModes, jobKinds, jobStates, type LogLine, type Scope, type WideJob } from '../../queue/wide-types.ts';
import { builder } from './builder.ts';
import { type Answer, AnswerInterface, toAnswer } from './payload.ts';

const JobKind = builder.enumType('JobKind', { values: jobKinds });
const JobState = builder.enumType('JobState', { values: jobStates });
const ImportMode = builder.enumType('ImportMode', {
  description: 'For an existing checklist: OVERRIDE replaces it, APPEND appends to it, ONLY_EMPTY skips the issue.',
  values: importModes,
});

const JobLine = builder.objectRef<LogLine>('JobLine').implement({
  fields: t => ({
    time: t.exposeString('time', { description: 'ISO time.' }),
    issue: t.exposeString('issue', { nullable: true, description: 'Key of the issue.' }),
    message: t.exposeString('message'),
  }),
});

export const JobType = builder.objectRef<WideJob>('Job').implement({
  description: 'A job over all issues of a project or the site, or for one issue.',
  fields: t => ({
    id: t.exposeID('id'),
    kind: t.field({ type: JobKind, resolve: ({ task }) => task.kind }),
    state: t.expose('state', { type: JobState }),
    projectId: t.id({ nullable: true, resolve: ({ scope }) => (scope.kind === 'project' ? scope.id : null) }),
    issueId: t.id({ nullable: true, resolve: ({ scope }) => (scope.kind === 'issue' ? scope.id : null) }),
    mode: t.field({
      type: ImportMode,
      nullable: true,
      resolve: ({ task }) => (task.kind === 'IMPORT' ? task.mode : null),
    }),
    dryRun: t.boolean({ resolve: ({ task }) => task.kind === 'IMPORT' && task.dryRun }),
    total: t.int({
      nullable: true,
      description: 'Estimated number of issues, where known.',
      resolve: ({ progress }) => progress.total,
    }),
    seen: t.int({ resolve: ({ progress }) => progress.seen }),
    done: t.int({ description: 'Synchronised, or imported.', resolve: ({ progress }) => progress.done }),
    skipped: t.int({ description: 'Issues without a change.', resolve: ({ progress }) => progress.skipped }),
    failed: t.int({ resolve: ({ progress }) => progress.failed }),
    log: t.field({ type: [JobLine], resolve: ({ progress }) => [...progress.log] }),
    account: t.exposeID('account', { description: 'The account that started it.' }),
    created: t.string({ resolve: ({ created }) => created.toISOString() }),
    updated: t.string({ resolve: ({ updated }) => updated.toISOString() }),
    ended: t.string({ nullable: true, resolve: ({ ended }) => ended?.toISOString() ?? null }),
  }),
});

const InheritanceType = builder.objectRef<Inheritance>('Inheritance').implement({
  description: 'Progress of taking over the data of the previous edition.',
  fields: t => ({
    ended: t.string({
      nullable: true,
      description: 'When all was taken over.',
      resolve: ({ ended }) => ended?.toISOString() ?? null,
    }),
    job: t.expose('job', { type: JobType, nullable: true, description: 'The last job for it.' }),
  }),
});

const JobPayload = builder.objectRef<Answer<WideJob>>('JobPayload').implement({
  description: 'The job and a message; or the reasons of a refusal.',
  interfaces: [AnswerInterface],
  fields: t => ({
    job: t.field({ type: JobType, nullable: true, resolve: answer => ('error' in answer ? null : answer.value) }),
  }),
});

const ScopeInput = builder.inputType('JobScopeInput', {
  description: 'Without a project or an issue, the whole site.',
  fields: t => ({ projectId: t.id({ required: false }), issueId: t.id({ required: false }) }),
});

const SynchronizeInput = builder.inputType('SynchronizeStoragesInput', {
  description: 'Without a project or an issue, the whole site.',
  fields: t => ({ projectId: t.id({ required: false }), issueId: t.id({ required: false }) }),
});

const CheckInput = builder.inputType('CheckStoredDataInput', {
  description: 'Without a project or an issue, the whole site.',
  fields: t => ({ projectId: t.id({ required: false }), issueId: t.id({ required: false }) }),
});

const ImportInput = builder.inputType('ImportFromIssueChecklistInput', {
  description:
    'Without a project or an issue, the whole site. A dry run counts what would be imported and writes nothing.',
  fields: t => ({
    projectId: t.id({ required: false }),
    issueId: t.id({ required: false }),
    mode: t.field({ type: ImportMode }),
    dryRun: t.boolean(),
  }),
});

interface Sent {
  projectId?: string | null | undefined;
  issueId?: string | null | undefined;
}

function scopeOf({ projectId, issueId }: Sent): Scope {
  if (issueId != null) return { kind: 'issue', id: issueId };
  return projectId == null ? { kind: 'site' } : { kind: 'project', id: projectId };
}

builder.mutationFields(t => ({
  synchronizeStorages: t.field({
    type: JobPayload,
    description:
      'Makes property and field of each issue in the scope equal, in the background. An issue whose copies are up to date is skipped.',
    args: { input: t.arg({ type: SynchronizeInput }) },
    resolve: (_root, { input }, { jobs }) =>
      toAnswer(jobs.start({ kind: 'SYNCHRONIZE' }, scopeOf(input)), successes.synchronize),
  }),
  checkStoredData: t.field({
    type: JobPayload,
    description:
      'Compares all that is stored of the known checklists in the scope with fresh readings, and repairs what differs, in the background.',
    args: { input: t.arg({ type: CheckInput }) },
    resolve: (_root, { input }, { jobs }) =>
      toAnswer(jobs.start({ kind: 'CHECK' }, scopeOf(input)), messages.checkStarted),
  }),
  importFromIssueChecklist: t.field({
    type: JobPayload,
    description: 'Imports checklists of Issue Checklist, in the background.',
    args: { input: t.arg({ type: ImportInput }) },
    resolve: (_root, { input }, { jobs }) => {
      const { mode, dryRun } = input;
      return toAnswer(jobs.start({ kind: 'IMPORT', mode, dryRun }, scopeOf(input)), successes.startImport);
    },
  }),
  inheritChecklists: t.field({
    type: JobPayload,
    description: 'Takes over the data of the previous edition on the whole site, in the background.',
    resolve: (_root, _args, { jobs }) =>
      toAnswer(jobs.start({ kind: 'INHERIT' }, { kind: 'site' }), successes.startImport),
  }),
  cancelJob: t.field({
    type: JobPayload,
    description: 'Finished issues stay changed.',
    args: { id: t.arg.id() },
    resolve: (_root, { id }, { jobs }) => toAnswer(jobs.cancel(id)),
  }),
}));

const RefusedCopiesType = builder.objectRef<RefusedCopies>('RefusedCopies').implement({
  description: 'Copies in the tracker that it refuses, by copy and reason. Each is tried again.',
  fields: t => ({
    copy: t.exposeString('copy', { description: 'property, field, statuses or templates' }),
    reason: t.exposeString('reason', { description: 'forbidden, refused, size, screen, foreign or hidden' }),
    issues: t.exposeInt('issues', { description: '0 for copies in projects.' }),
    projects: t.exposeInt('projects', { description: '0 for copies of checklists.' }),
    projectKeys: t.stringList({
      description: 'Keys of the first of these projects.',
      resolve: ({ projectKeys }) => [...projectKeys],
    }),
  }),
});

const StoredDataType = builder.objectRef<StoredData>('StoredData').implement({
  description: 'What is stored beside the texts of the site or a project, for its administrators.',
  fields: t => ({
    refused: t.field({ type: [RefusedCopiesType], resolve: ({ refused }) => [...refused] }),
    mailedProjects: t.stringList({
      description: 'Keys of projects in which writes of the text field send mail to watchers.',
      resolve: ({ mailed }) => [...mailed],
    }),
    stale: t.exposeInt('stale', { description: 'Issues whose indexes or property were made with other statuses.' }),
  }),
});

builder.queryFields(t => ({
  storedData: t.field({
    type: StoredDataType,
    args: { projectId: t.arg.id({ required: false, description: 'Without one, the whole site.' }) },
    resolve: (_root, { projectId }, { jobs }) =>
      jobs.storedData(projectId == null ? { kind: 'site' } : { kind: 'project', id: projectId }),
  }),
  job: t.field({ type: JobType, args: { id: t.arg.id() }, resolve: (_root, { id }, { jobs }) => jobs.find(id) }),
  inheritance: t.field({
    type: InheritanceType,
    nullable: true,
    resolve: (_root, _args, { jobs }) => jobs.inheritance(),
  }),
  jobs: t.field({
    type: [JobType],
    description: 'The last jobs of exactly this scope, newest first.',
    args: { scope: t.arg({ type: ScopeInput }) },
    resolve: (_root, { scope }, { jobs }) => jobs.list(scopeOf(scope)),
  }),
}));
