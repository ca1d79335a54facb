import * as v from 'valibot';
import { webhookDirections } from '../../domain/automation/webhooks.ts';
import { graphql, operation } from '../operation.ts';
import { answerFields, answerShape } from './answer.ts';

const fields =
  'id direction name url address events actions projectIds withText automated hasToken hasSecret enabled stopped' as const;

const webhookShape = v.object({
  id: v.string(),
  direction: v.picklist(webhookDirections),
  name: v.string(),
  url: v.string(),
  /** Where an incoming one is called. */
  address: v.nullable(v.string()),
  /** Of `webhookEvents` and `webhookActions`. */
  events: v.array(v.string()),
  actions: v.array(v.string()),
  /** Empty for all. */
  projectIds: v.array(v.string()),
  withText: v.boolean(),
  automated: v.boolean(),
  hasToken: v.boolean(),
  /** False after a new installation of the app. */
  hasSecret: v.boolean(),
  enabled: v.boolean(),
  /** ISO time at which it was turned off because its receiver failed. */
  stopped: v.nullable(v.string()),
});
export type Webhook = v.InferOutput<typeof webhookShape>;

const callShape = v.object({
  id: v.string(),
  event: v.string(),
  issueId: v.nullable(v.string()),
  created: v.string(),
  status: v.nullable(v.number()),
  outcome: v.nullable(v.string()),
  tries: v.number(),
  took: v.nullable(v.number()),
});
export type WebhookCall = v.InferOutput<typeof callShape>;

const changedShape = v.object({
  webhooks: v.nullable(v.array(webhookShape)),
  secret: v.nullable(v.string()),
  ...answerShape,
});

export const getWebhooks = operation(
  graphql(`query getWebhooks($projectId: ID) { webhooks(projectId: $projectId) { ${fields} } }`),
  v.object({ webhooks: v.array(webhookShape) }),
);

export const getWebhookCalls = operation(
  graphql(
    'query getWebhookCalls($id: ID!) { webhookCalls(id: $id) { id event issueId created status outcome tries took } }',
  ),
  v.object({ webhookCalls: v.array(callShape) }),
);

export const createWebhook = operation(
  graphql(`mutation createWebhook($input: WebhookInput!) {
    createWebhook(input: $input) { webhooks { ${fields} } secret ${answerFields} }
  }`),
  v.object({ createWebhook: changedShape }),
);

export const updateWebhook = operation(
  graphql(`mutation updateWebhook($input: UpdateWebhookInput!) {
    updateWebhook(input: $input) { webhooks { ${fields} } secret ${answerFields} }
  }`),
  v.object({ updateWebhook: changedShape }),
);

export const deleteWebhook = operation(
  graphql(`mutation deleteWebhook($id: ID!) {
    deleteWebhook(id: $id) { webhooks { ${fields} } secret ${answerFields} }
  }`),
  v.object({ deleteWebhook: changedShape }),
);

export const testWebhook = operation(
  graphql(`mutation testWebhook($id: ID!) { testWebhook(id: $id) { accepted message ${answerFields} } }`),
  v.object({ testWebhook: v.object({ accepted: v.boolean(), message: v.nullable(v.string()), ...answerShape }) }),
);
