import * as v from 'valibot';
import type { GraphqlAnswer, TestApp } from './app.ts';

const job = v.object({
  id: v.string(),
  kind: v.string(),
  state: v.string(),
  projectId: v.nullable(v.string()),
  issueId: v.nullable(v.string()),
  mode: v.nullable(v.string()),
  dryRun: v.boolean(),
  total: v.nullable(v.number()),
  seen: v.number(),
  done: v.number(),
  skipped: v.number(),
  failed: v.number(),
  log: v.array(v.object({ time: v.string(), issue: v.nullable(v.string()), message: v.string() })),
  account: v.string(),
  ended: v.nullable(v.string()),
});
export type JobAnswer = v.InferOutput<typeof job>;
const payload = v.object({
  job: v.nullable(job),
  message: v.nullable(v.string()),
  errors: v.array(v.object({ code: v.string(), message: v.string() })),
});
export type JobPayload = v.InferOutput<typeof payload>;

const JOB = `id kind state projectId issueId mode dryRun total seen done skipped failed
  log { time issue message } account ended`;
const PAYLOAD = `{ job { ${JOB} } message errors { code message } }`;

const parsed = <T>(answer: GraphqlAnswer, name: string, shape: v.GenericSchema<unknown, T>): T => {
  const value = answer.data?.[name];
  if (value === undefined || value === null) throw new Error(answer.errors?.[0]?.message ?? JSON.stringify(answer));
  return v.parse(shape, value);
};

/** Starts and reads jobs over HTTP as an account. */
export const jobsOf = (it: TestApp, account: string) => ({
  async synchronize(input: { projectId?: string; issueId?: string } = {}): Promise<JobPayload> {
    const document = `mutation run($input: SynchronizeStoragesInput!) { synchronizeStorages(input: $input) ${PAYLOAD} }`;
    return parsed(await it.graphql(account, document, { input }), 'synchronizeStorages', payload);
  },
  async check(input: { projectId?: string; issueId?: string } = {}): Promise<JobPayload> {
    const document = `mutation run($input: CheckStoredDataInput!) { checkStoredData(input: $input) ${PAYLOAD} }`;
    return parsed(await it.graphql(account, document, { input }), 'checkStoredData', payload);
  },
  async import(input: Record<string, unknown> = {}): Promise<JobPayload> {
    const document = `mutation run($input: ImportFromIssueChecklistInput!) {
      importFromIssueChecklist(input: $input) ${PAYLOAD} }`;
    const variables = { input: { mode: 'OVERRIDE', dryRun: false, ...input } };
    return parsed(await it.graphql(account, document, variables), 'importFromIssueChecklist', payload);
  },
  async inherit(): Promise<JobPayload> {
    return parsed(await it.graphql(account, `mutation { inheritChecklists ${PAYLOAD} }`), 'inheritChecklists', payload);
  },
  async inheritance(): Promise<{ ended: string | null; job: JobAnswer | null }> {
    const answer = await it.graphql(account, `{ inheritance { ended job { ${JOB} } } }`);
    return parsed(answer, 'inheritance', v.object({ ended: v.nullable(v.string()), job: v.nullable(job) }));
  },
  async cancel(id: string): Promise<JobPayload> {
    return parsed(await it.graphql(account, `mutation { cancelJob(id: "${id}") ${PAYLOAD} }`), 'cancelJob', payload);
  },
  async find(id: string): Promise<JobAnswer> {
    return parsed(await it.graphql(account, `{ job(id: "${id}") { ${JOB} } }`), 'job', job);
  },
  async list(scope: Record<string, string> = {}): Promise<JobAnswer[]> {
    const document = `query run($scope: JobScopeInput!) { jobs(scope: $scope) { ${JOB} } }`;
    return parsed(await it.graphql(account, document, { scope }), 'jobs', v.array(job));
  },
});
