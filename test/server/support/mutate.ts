import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { TestApp } from './app.ts';
import type { IssueWork } from './checklists.ts';

const payload = v.object({
  checklist: v.nullable(
    v.object({ text: v.string(), epoch: v.string(), seq: v.number(), hash: v.string(), name: v.string() }),
  ),
  conflicts: v.array(v.unknown()),
  notices: v.array(v.string()),
  issueKey: v.nullable(v.string()),
  errors: v.array(v.object({ code: v.string(), field: v.nullable(v.string()), message: v.string() })),
});
export type MutationAnswer = v.InferOutput<typeof payload>;

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
  return v.parse(payload, answer.data.changeChecklist);
}
