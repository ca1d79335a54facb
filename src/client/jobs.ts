import * as v from 'valibot';
import { failures, successes } from '../domain/messages.ts';
import { failureMessage } from './errors.ts';
import type { GraphqlClient } from './graphql.ts';
import { graphql, operation } from './operation.ts';

const payloadShape = v.object({
  message: v.nullable(v.string()),
  errors: v.array(v.object({ code: v.string(), field: v.nullable(v.string()), message: v.string() })),
});

const synchronizeStorages = operation(
  graphql(`mutation synchronizeStorages($input: SynchronizeStoragesInput!) {
    synchronizeStorages(input: $input) { message errors { code field message } }
  }`),
  v.object({ synchronizeStorages: payloadShape }),
);

const importFromIssueChecklist = operation(
  graphql(`mutation importFromIssueChecklist($input: ImportFromIssueChecklistInput!) {
    importFromIssueChecklist(input: $input) { message errors { code field message } }
  }`),
  v.object({ importFromIssueChecklist: payloadShape }),
);

/** The outcome of a job's start, with a message for the user. */
export interface Started {
  ok: boolean;
  message: string;
}

async function started(work: Promise<{ message: string | null }>, success: string, failure: string): Promise<Started> {
  try {
    return { ok: true, message: (await work).message ?? success };
  } catch (error) {
    return { ok: false, message: failureMessage(error, failure) };
  }
}

/** Starts the synchronization of an issue's property and field. Never rejects. */
export const startSynchronization = (client: GraphqlClient, issueId: string): Promise<Started> =>
  started(
    client.mutate(synchronizeStorages, { input: { issueId } }, data => data.synchronizeStorages),
    successes.synchronize,
    failures.synchronize,
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
