import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as operations from '../../../client/admin/webhooks.ts';
import type { WebhookAction, WebhookEvent } from '../../../domain/automation/webhooks.ts';
import { failures } from '../../../domain/messages.ts';
import { useOptimisticValues } from '../../kit/form/form.tsx';
import { useGraphql, useNotify } from '../../shell/services/services.ts';
import { useLiveQuery } from '../../shell/use-live-query.ts';

/** The values of a webhook's form. */
export interface WebhookValues {
  direction: operations.Webhook['direction'];
  name: string;
  url: string;
  events: WebhookEvent[];
  actions: WebhookAction[];
  projectIds: string[];
  withText: boolean;
  automated: boolean;
  /** Empty: unchanged, or none. */
  token: string;
}

export const eventWords: Record<WebhookEvent, string> = {
  'item.completed': 'Item completed',
  'item.reopened': 'Item reopened',
  'checklist.completed': 'Checklist completed',
  'checklist.changed': 'Checklist changed',
};

export const actionWords: Record<WebhookAction, string> = {
  addItems: 'Add items',
  applyTemplate: 'Apply a template',
  setStatus: 'Set the status of items',
  complete: 'Complete items',
  clear: 'Clear the checklist',
};

/** All calls as words. */
export const callWords: Readonly<Record<string, string>> = {
  ...eventWords,
  ...actionWords,
  test: 'Test',
  unknown: 'Invalid call',
};

/** The webhooks of a project, or of the whole site, and their mutations. */
export function useWebhooks(projectId: string | undefined) {
  const graphql = useGraphql();
  const notify = useNotify();
  const client = useQueryClient();
  const queryKey = ['webhooks', projectId ?? null];
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await graphql.query(operations.getWebhooks, { projectId: projectId ?? null }, signal)).webhooks,
    meta: { silent: true },
  });
  useLiveQuery('settings', ['webhooks']);
  const changed = () => client.invalidateQueries({ queryKey: ['webhooks'] });
  const create = useMutation({
    mutationFn: (input: WebhookValues) =>
      graphql.mutate(operations.createWebhook, { input }, data => data.createWebhook),
    onSuccess: changed,
    meta: { failure: failures.unknown },
  });
  const { chosen, errors, choose, answered } = useOptimisticValues<Record<string, boolean>>();
  const update = useMutation({
    mutationFn: (input: { id: string; enabled?: boolean; newSecret?: boolean } & Partial<WebhookValues>) =>
      graphql.mutate(operations.updateWebhook, { input }, data => data.updateWebhook),
    onSettled: async (_answer, error, { id, enabled }) => {
      await changed();
      if (enabled !== undefined) answered({ [id]: enabled }, error);
    },
    meta: { failure: failures.unknown },
  });
  const remove = useMutation({
    mutationFn: (id: string) => graphql.mutate(operations.deleteWebhook, { id }, data => data.deleteWebhook),
    onSettled: changed,
    meta: { failure: failures.unknown },
  });
  const test = useMutation({
    mutationFn: (id: string) => graphql.mutate(operations.testWebhook, { id }, data => data.testWebhook),
    onSuccess: ({ message }) => notify(message ?? 'Test sent.'),
    onSettled: (_answer, _error, id) => client.invalidateQueries({ queryKey: ['webhook calls', id] }),
    meta: { failure: failures.unknown },
  });
  /** Turns a webhook on or off; optimistic. The answer has a new secret if it had none. */
  const setEnabled = (id: string, enabled: boolean) => {
    choose({ [id]: enabled });
    return update.mutateAsync({ id, enabled });
  };
  const data = query.data?.map(webhook => ({ ...webhook, enabled: chosen[webhook.id] ?? webhook.enabled }));
  return { ...query, data, create, update, remove, test, setEnabled, errors };
}

const LOG_POLL_INTERVAL_MS = 5_000;

/** The log of a webhook. */
export function useWebhookCalls(id: string) {
  const graphql = useGraphql();
  return useQuery({
    queryKey: ['webhook calls', id],
    queryFn: async ({ signal }) => (await graphql.query(operations.getWebhookCalls, { id }, signal)).webhookCalls,
    refetchInterval: LOG_POLL_INTERVAL_MS,
    meta: { silent: true },
  });
}
