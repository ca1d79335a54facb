import { failures, jobs, managing, successes } from '../domain/messages.ts';
import { backoff, sleep } from '../domain/timing.ts';
import { failureMessage } from './errors.ts';
import type { GraphqlClient } from './graphql.ts';
import { graphql, operation, type ResultOf } from './operation.ts';

const synchronizeStorages = operation(
  graphql(`mutation synchronizeStorages($input: SynchronizeStoragesInput!) {
    synchronizeStorages(input: $input) { message job { id } errors { code field message } }
  }`),
);

const importFromIssueChecklist = operation(
  graphql(`mutation importFromIssueChecklist($input: ImportFromIssueChecklistInput!) {
    importFromIssueChecklist(input: $input) { message job { id } errors { code field message } }
  }`),
);

const getJob = operation(graphql(`query getJob($id: ID!) { job(id: $id) { kind state done failed log { message } } }`));

/** The outcome of a job, or of its start, with a message for the user. */
export interface Outcome {
  ok: boolean;
  message: string;
}

export interface Started extends Outcome {
  /** The id of the started job. */
  id?: string | undefined;
}

type Payload = Pick<ResultOf<typeof synchronizeStorages>['synchronizeStorages'], 'message' | 'job'>;

async function started(work: Promise<Payload>, success: string, failure: string): Promise<Started> {
  try {
    const { message, job } = await work;
    return { ok: true, message: message ?? success, id: job?.id };
  } catch (error) {
    return { ok: false, message: failureMessage(error, failure) };
  }
}

/** Starts the synchronization of an issue's property and field. Never rejects. */
export const startSynchronization = (client: GraphqlClient, issueId: string): Promise<Started> =>
  started(
    client.mutate(synchronizeStorages, { input: { issueId } }, data => data.synchronizeStorages),
    successes.synchronize,
    managing.synchronize,
  );

/** Position of the imported items: after the existing rows, or instead of them. */
export type ImportMode = 'APPEND' | 'OVERRIDE';

/** Starts the import of an issue's Issue Checklist data. Never rejects. */
export const startImport = (client: GraphqlClient, issueId: string, mode: ImportMode): Promise<Started> =>
  started(
    client.mutate(
      importFromIssueChecklist,
      { input: { issueId, mode, dryRun: false } },
      data => data.importFromIssueChecklist,
    ),
    successes.startImport,
    failures.unknown,
  );

/** A running job is polled at growing intervals, for some ten minutes in total. */
const FIRST_POLL_INTERVAL_MS = 500;
const MAX_POLL_INTERVAL_MS = 8_000;
const MAX_POLLS = 80;

/** Waits for the end of a job for one issue. Resolves with the outcome; never rejects. */
export async function jobOutcome(client: GraphqlClient, id: string): Promise<Outcome> {
  for (let look = 0; look < MAX_POLLS; look++) {
    await sleep(backoff(look, FIRST_POLL_INTERVAL_MS, MAX_POLL_INTERVAL_MS));
    try {
      const { kind, state, failed, log } = (await client.query(getJob, { id })).job;
      if (state === 'QUEUED' || state === 'RUNNING') continue;
      const lastMessage = log.at(-1)?.message;
      if (state === 'CANCELLED') return { ok: false, message: jobs.cancelled };
      const isDone = state === 'DONE' && failed === 0;
      const message = lastMessage ?? (kind === 'IMPORT' ? jobs.importEnded : jobs.synchronized);
      return isDone ? { ok: true, message } : { ok: false, message: lastMessage ?? failures.unknown };
    } catch {
      // The server does not answer now: the job goes on.
    }
  }
  return { ok: true, message: jobs.resultLater };
}
