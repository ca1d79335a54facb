import * as z from 'zod';
import type { GraphqlAnswer, TestApp } from './app.ts';

const job = z.object({
  id: z.string(),
  kind: z.string(),
  state: z.string(),
  projectId: z.string().nullable(),
  issueId: z.string().nullable(),
  mode: z.string().nullable(),
  dryRun: z.boolean(),
  total: z.number().nullable(),
  seen: z.number(),
  done: z.number(),
  skipped: z.number(),
  failed: z.number(),
  log: z.array(z.object({ time: z.string(), issue: z.string().nullable(), message: z.string() })),
  account: z.string(),
  ended: z.string().nullable(),
});
export type JobAnswer = z.infer<typeof job>;
const payload = z.object({
  job: job.nullable(),
  message: z.string().nullable(),
  errors: z.array(z.object({ code: z.string(), message: z.string() })),
});
export type JobPayload = z.infer<typeof payload>;

const JOB = `id kind state projectId issueId mode dryRun total seen done skipped failed
  log { time issue message } account ended`;
const PAYLOAD = `{ job { ${JOB} } message errors { code message } }`;

const parsed = <T>(answer: GraphqlAnswer, name: string, shape: z.ZodType<T>): T => {
  const value = answer.data?.[name];
  if (value === undefined || value === null) throw new Error(answer.errors?.[0]?.message ?? JSON.stringify(answer));
  return shape.parse(value);
};

/** Starts and reads jobs over HTTP as an account. */
export const jobsOf = (it: TestApp, account: string) => ({
  async synchronize(input: { projectId?: string; issueId?: string } = {}): Promise<JobPayload> {
    const document = `mutation run($input: SynchronizeStoragesInput!) { synchronizeStorages(input: $input) ${PAYLOAD} }`;
    return parsed(await it.graphql(account, document, { input }), 'synchronizeStorages', payload);
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
    return parsed(answer, 'inheritance', z.object({ ended: z.string().nullable(), job: job.nullable() }));
  },
  async cancel(id: string): Promise<JobPayload> {
    return parsed(await it.graphql(account, `mutation { cancelJob(id: "${id}") ${PAYLOAD} }`), 'cancelJob', payload);
  },
  async find(id: string): Promise<JobAnswer> {
    return parsed(await it.graphql(account, `{ job(id: "${id}") { ${JOB} } }`), 'job', job);
  },
  async list(scope: Record<string, string> = {}): Promise<JobAnswer[]> {
    const document = `query run($scope: JobScopeInput!) { jobs(scope: $scope) { ${JOB} } }`;
    return parsed(await it.graphql(account, document, { scope }), 'jobs', z.array(job));
  },
});
