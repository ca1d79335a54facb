import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { TestApp } from './app.ts';
import type { IssueWork } from './checklists.ts';

const payload = z.object({
  checklist: z
    .object({ text: z.string(), epoch: z.string(), seq: z.number(), hash: z.string(), name: z.string() })
    .nullable(),
  conflicts: z.array(z.unknown()),
  notices: z.array(z.string()),
  issueKey: z.string().nullable(),
  errors: z.array(z.object({ code: z.string(), field: z.string().nullable(), message: z.string() })),
});
export type MutationAnswer = z.infer<typeof payload>;

const CHANGE = `mutation run($input: ChangeChecklistInput!) {
  changeChecklist(input: $input) {
    checklist { text epoch seq hash name } conflicts { row } notices issueKey errors { code field message }
  }
}`;

/** Input of a change: its kind and values, besides issue, client id and base. */
export function inputOf(kind: string, { issueId, clientId = randomUUID(), base, ...change }: Record<string, unknown>) {
  return { issueId, clientId, base, change: { kind, ...change } };
}

/** Sends a change over HTTP, on the stored text unless the input names another base. */
export async function mutate(
  it: TestApp,
  account: string,
  { id, read }: Pick<IssueWork, 'id' | 'read'>,
  kind: string,
  input: Record<string, unknown> = {},
): Promise<MutationAnswer> {
  const { epoch, seq, hash } = 'base' in input ? { epoch: '', seq: 0, hash: '' } : await read();
  const base = { epoch, seq, hash };
  const answer = await it.graphql(account, CHANGE, { input: inputOf(kind, { issueId: id, base, ...input }) });
  if (!answer.data) throw new Error(JSON.stringify(answer));
  return payload.parse(answer.data.changeChecklist);
}
