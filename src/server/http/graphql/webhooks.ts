import { webhookActions, webhookDirections, webhookEvents } from '../../../domain/automation/webhooks.ts';
import type { ChangedWebhooks, ListedWebhook } from '../../automation/types.ts';
import type { WebhookCall } from '../../events/webhooks/records.ts';
import { builder } from './builder.ts';
import { type Answer, AnswerInterface, toAnswer } from './payload.ts';

const Direction = builder.enumType('WebhookDirection', {
  description: 'OUTGOING: an address is called for changes; INCOMING: other programs change checklists by it.',
  values: webhookDirections,
});

const WebhookType = builder.objectRef<ListedWebhook>('Webhook').implement({
  fields: t => ({
    id: t.exposeID('id'),
    direction: t.expose('direction', { type: Direction }),
    name: t.exposeString('name'),
    url: t.exposeString('url', { description: 'The receiver; empty for an incoming one.' }),
    address: t.exposeString('address', { nullable: true, description: 'Where an incoming one is called.' }),
    events: t.stringList({ description: webhookEvents.join(', '), resolve: ({ events }) => [...events] }),
    actions: t.stringList({ description: webhookActions.join(', '), resolve: ({ actions }) => [...actions] }),
    projectIds: t.idList({ description: 'Empty for all of the site.', resolve: ({ projects }) => [...projects] }),
    withText: t.exposeBoolean('withText', { description: 'Calls have the texts of items.' }),
    automated: t.exposeBoolean('automated', {
      description: 'Also called for changes of incoming webhooks and API tokens.',
    }),
    hasToken: t.exposeBoolean('hasToken', { description: "Calls have a token for Jira's automation." }),
    hasSecret: t.exposeBoolean('hasSecret', {
      description: 'False after a new installation of the app: it is off, and turning it on makes a new secret.',
    }),
    enabled: t.exposeBoolean('enabled'),
    stopped: t.string({
      nullable: true,
      description: 'ISO time at which it was turned off because its receiver failed.',
      resolve: ({ stopped }) => stopped?.toISOString() ?? null,
    }),
  }),
});

const CallType = builder.objectRef<WebhookCall>('WebhookCall').implement({
  description: 'An entry of the log, without texts.',
  fields: t => ({
    id: t.exposeID('id'),
    event: t.exposeString('event', { description: 'The event, or the action of an incoming call.' }),
    issueId: t.id({ nullable: true, resolve: ({ issue }) => issue }),
    created: t.string({ description: 'ISO time.', resolve: ({ created }) => created.toISOString() }),
    status: t.exposeInt('status', { nullable: true, description: 'HTTP status; 0 without an answer.' }),
    outcome: t.exposeString('outcome', { nullable: true, description: 'Null while it waits; OK, or why it ended.' }),
    tries: t.exposeInt('tries'),
    took: t.exposeInt('took', { nullable: true, description: 'Milliseconds of the last try.' }),
  }),
});

const ChangedPayload = builder.objectRef<Answer<ChangedWebhooks>>('WebhooksPayload').implement({
  interfaces: [AnswerInterface],
  fields: t => ({
    webhooks: t.field({
      type: [WebhookType],
      nullable: true,
      description: 'All webhooks of the site, or of the one project that it is for.',
      resolve: answer => ('error' in answer ? null : answer.value.webhooks),
    }),
    secret: t.string({
      nullable: true,
      description: 'A new secret, which is not shown again.',
      resolve: answer => ('error' in answer ? null : answer.value.secret),
    }),
  }),
});

const TestPayload = builder.objectRef<Answer<true>>('TestWebhookPayload').implement({
  interfaces: [AnswerInterface],
  fields: t => ({ accepted: t.boolean({ resolve: answer => !('error' in answer) }) }),
});

const ValuesInput = builder.inputType('WebhookInput', {
  fields: t => ({
    direction: t.field({ type: Direction }),
    name: t.string(),
    url: t.string({ required: false }),
    events: t.stringList({ required: false }),
    actions: t.stringList({ required: false }),
    projectIds: t.idList({ required: false }),
    withText: t.boolean({ required: false }),
    automated: t.boolean({ required: false }),
    token: t.string({ required: false, description: "The token of a trigger of Jira's automation." }),
    enabled: t.boolean({ required: false }),
  }),
});

const UpdateInput = builder.inputType('UpdateWebhookInput', {
  description:
    'Absent values stay unchanged; an empty token is removed. An address of another server drops the token and makes a new secret.',
  fields: t => ({
    id: t.id(),
    name: t.string({ required: false }),
    url: t.string({ required: false }),
    events: t.stringList({ required: false }),
    actions: t.stringList({ required: false }),
    projectIds: t.idList({ required: false }),
    withText: t.boolean({ required: false }),
    automated: t.boolean({ required: false }),
    token: t.string({ required: false }),
    enabled: t.boolean({ required: false }),
    newSecret: t.boolean({ required: false, description: 'Replaces the secret.' }),
  }),
});

/** Those of the options that are named. */
const among = <const Options extends readonly string[]>(options: Options, named: readonly string[]) =>
  options.filter((each): each is Options[number] => named.includes(each));

builder.mutationFields(t => ({
  createWebhook: t.field({
    type: ChangedPayload,
    args: { input: t.arg({ type: ValuesInput }) },
    resolve: (_root, { input }, { webhooks }) =>
      toAnswer(
        webhooks.create({
          ...{ direction: input.direction, name: input.name, url: input.url ?? '' },
          events: among(webhookEvents, input.events ?? []),
          actions: among(webhookActions, input.actions ?? []),
          projects: input.projectIds ?? [],
          ...{ withText: input.withText ?? false, automated: input.automated ?? false },
          enabled: input.enabled ?? true,
          ...(input.token != null && { token: input.token }),
        }),
      ),
  }),
  updateWebhook: t.field({
    type: ChangedPayload,
    args: { input: t.arg({ type: UpdateInput }) },
    resolve: (_root, { input }, { webhooks }) => {
      const { id, name, url, events, actions, projectIds, withText, automated, token, enabled, newSecret } = input;
      const values = {
        ...(name != null && { name }),
        ...(url != null && { url }),
        ...(events != null && { events: among(webhookEvents, events) }),
        ...(actions != null && { actions: among(webhookActions, actions) }),
        ...(projectIds != null && { projects: projectIds }),
        ...(withText != null && { withText }),
        ...(automated != null && { automated }),
        ...(token != null && { token }),
        ...(enabled != null && { enabled }),
      };
      return toAnswer(webhooks.update(id, values, newSecret ?? false));
    },
  }),
  deleteWebhook: t.field({
    type: ChangedPayload,
    args: { id: t.arg.id() },
    resolve: (_root, { id }, { webhooks }) =>
      toAnswer(webhooks.remove(id).then(rest => ({ webhooks: rest, secret: null }))),
  }),
  testWebhook: t.field({
    type: TestPayload,
    description: 'Calls the receiver of an outgoing webhook now.',
    args: { id: t.arg.id() },
    resolve: async (_root, { id }, { webhooks }) => {
      const answer = await toAnswer(webhooks.test(id));
      return 'error' in answer ? answer : { value: true as const, message: answer.value };
    },
  }),
}));

builder.queryFields(t => ({
  webhooks: t.field({
    type: [WebhookType],
    description: 'Webhooks for exactly this project; without one all, for administrators of the site.',
    args: { projectId: t.arg.id({ required: false }) },
    resolve: (_root, { projectId }, { webhooks }) => webhooks.list(projectId ?? undefined),
  }),
  webhookCalls: t.field({
    type: [CallType],
    description: 'The last calls, newest first.',
    args: { id: t.arg.id() },
    resolve: (_root, { id }, { webhooks }) => webhooks.calls(id),
  }),
}));
