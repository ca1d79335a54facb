import { graphql, operation, type ResultOf } from '../operation.ts';
import { answerFields } from './selections.ts';

const fields =
  'id direction name url address events actions projectIds withText automated hasToken hasSecret enabled stopped' as const;

export const getWebhooks = operation(
  graphql(`query getWebhooks($projectId: ID) { webhooks(projectId: $projectId) { ${fields} } }`),
);

export type Webhook = ResultOf<typeof getWebhooks>['webhooks'][number];

export const getWebhookCalls = operation(
  graphql(
    'query getWebhookCalls($id: ID!) { webhookCalls(id: $id) { id event issueId created status outcome tries took } }',
  ),
);

export type WebhookCall = ResultOf<typeof getWebhookCalls>['webhookCalls'][number];

export const createWebhook = operation(
  graphql(`mutation createWebhook($input: WebhookInput!) {
    createWebhook(input: $input) { webhooks { ${fields} } secret ${answerFields} }
  }`),
);

export const updateWebhook = operation(
  graphql(`mutation updateWebhook($input: UpdateWebhookInput!) {
    updateWebhook(input: $input) { webhooks { ${fields} } secret ${answerFields} }
  }`),
);

export const deleteWebhook = operation(
  graphql(`mutation deleteWebhook($id: ID!) {
    deleteWebhook(id: $id) { webhooks { ${fields} } secret ${answerFields} }
  }`),
);

export const testWebhook = operation(
  graphql(`mutation testWebhook($id: ID!) { testWebhook(id: $id) { accepted message ${answerFields} } }`),
);
