import * as v from 'valibot';
import type { TestApp } from './app.ts';
import { askAs } from './ask.ts';

const webhookShape = v.looseObject({
  id: v.string(),
  name: v.string(),
  enabled: v.boolean(),
  stopped: v.nullable(v.string()),
  address: v.nullable(v.string()),
});
const changedShape = v.object({
  errors: v.array(v.object({ code: v.string(), field: v.nullable(v.string()), message: v.string() })),
  secret: v.nullable(v.string()),
  webhooks: v.nullable(v.array(webhookShape)),
});
const callShape = v.looseObject({ event: v.string(), status: v.nullable(v.number()), outcome: v.nullable(v.string()) });

const SEEN =
  'id direction name url address events actions projectIds withText automated hasToken hasSecret enabled stopped';
const ANSWER = `{ errors { code field message } secret webhooks { ${SEEN} } }`;

/** The settings of webhooks as an account. */
export function webhooksAs(it: TestApp, account: string) {
  const { ask } = askAs(it, account);
  const mutate = async (name: string, type: string, input: Record<string, unknown>) =>
    v.parse(changedShape, await ask(`mutation run($input: ${type}!) { ${name}(input: $input) ${ANSWER} }`, { input }));
  return {
    create: (input: Record<string, unknown>) => mutate('createWebhook', 'WebhookInput', input),
    update: (input: Record<string, unknown>) => mutate('updateWebhook', 'UpdateWebhookInput', input),
    remove: async (id: string) =>
      v.parse(changedShape, await ask(`mutation run($id: ID!) { deleteWebhook(id: $id) ${ANSWER} }`, { id })),
    test: (id: string) =>
      ask('mutation run($id: ID!) { testWebhook(id: $id) { accepted message errors { code field message } } }', { id }),
    list: async (projectId?: string) =>
      v.parse(
        v.array(webhookShape),
        await ask(`query run($projectId: ID) { webhooks(projectId: $projectId) { ${SEEN} } }`, { projectId }),
      ),
    calls: async (id: string) =>
      v.parse(
        v.array(callShape),
        await ask('query run($id: ID!) { webhookCalls(id: $id) { id event issueId status outcome tries took } }', {
          id,
        }),
      ),
    /** Creates one; its id and secret. */
    async made(input: Record<string, unknown>) {
      const { webhooks, secret, errors } = await mutate('createWebhook', 'WebhookInput', input);
      const id = webhooks?.at(-1)?.id;
      if (id === undefined || secret === null) throw new Error(JSON.stringify(errors));
      return { id, secret };
    },
  };
}
