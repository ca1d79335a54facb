import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { pinPanel } from '../../../client/admin/pin.ts';
import * as operations from '../../../client/admin/settings.ts';
import { failures, settings } from '../../../domain/messages.ts';
import { useOptimisticValues } from '../../kit/form/form.tsx';
import { useBridge, useGraphql, useUser } from '../../shell/services/services.ts';
import { useLiveQuery } from '../../shell/use-live-query.ts';

/** The site's settings and their mutation, which is optimistic and reverted when rejected. */
export function useSiteSettings() {
  const graphql = useGraphql();
  const client = useQueryClient();
  const queryKey = ['settings', 'site'];
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await graphql.query(operations.getSiteSettings, {}, signal)).siteSettings,
    meta: { silent: true },
  });
  useLiveQuery('settings', queryKey);
  const { chosen, errors, choose, answered } = useOptimisticValues<operations.SiteSettings>();
  const change = useMutation({
    mutationFn: (input: operations.SiteChange) =>
      graphql.mutate(operations.updateSiteSettings, { input }, data => data.updateSiteSettings),
    scope: { id: 'site settings' },
    onMutate: () => client.cancelQueries({ queryKey }),
    onSuccess: ({ settings }) => {
      if (settings) client.setQueryData(queryKey, settings);
    },
    onError: () => void client.invalidateQueries({ queryKey }),
    onSettled: (_answer, error, input) => answered(input, error),
    meta: { failure: failures.unknown },
  });
  return {
    ...query,
    data: query.data && { ...query.data, ...chosen },
    errors,
    change(input: operations.SiteChange) {
      choose(input);
      change.mutate(input);
    },
  };
}

/** A project's settings and their mutation. */
export function useProjectSettings(projectId: string) {
  const graphql = useGraphql();
  const bridge = useBridge();
  const { isAdmin } = useUser();
  const client = useQueryClient();
  const queryKey = ['settings', 'project', projectId];
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await graphql.query(operations.getProjectSettings, { projectId }, signal)).projectSettings,
    meta: { silent: true },
  });
  useLiveQuery('settings', queryKey);
  const { chosen, errors, choose, answered } = useOptimisticValues<operations.ProjectSettings>();
  const pin = useMutation({
    mutationFn: (showInCenter: boolean) => pinPanel(bridge, projectId, showInCenter, isAdmin),
    scope: { id: `panel of ${projectId}` },
    meta: { failure: settings.pinFailed },
  });
  const change = useMutation({
    mutationFn: (values: operations.ProjectChange) => {
      const input = { projectId, ...values };
      return graphql.mutate(operations.updateProjectSettings, { input }, data => data.updateProjectSettings);
    },
    scope: { id: `settings of ${projectId}` },
    onMutate: () => client.cancelQueries({ queryKey }),
    onSuccess({ settings }, { showInCenter }) {
      if (settings) client.setQueryData(queryKey, settings);
      if (showInCenter !== undefined) pin.mutate(showInCenter);
    },
    onError: () => void client.invalidateQueries({ queryKey }),
    onSettled: (_answer, error, values) => answered(values, error),
    meta: { failure: failures.unknown },
  });
  const isPinRefused = pin.data === false && pin.variables;
  return {
    ...query,
    data: query.data && { ...query.data, ...chosen },
    errors,
    /** Why the panel could not be pinned for its new position. */
    pinError: pin.error,
    isPinning: pin.isPending,
    retryPin: () => pin.variables !== undefined && pin.mutate(pin.variables),
    /** The panel needs to be pinned, but the user has no permission for that. */
    isPinRefused,
    /** The panel has a new position. */
    isMoved: pin.isSuccess && !isPinRefused,
    change(values: operations.ProjectChange) {
      choose(values);
      change.mutate(values);
    },
  };
}

/** Who holds which of the app's permissions in a project. */
export function useHolders(projectId: string) {
  const graphql = useGraphql();
  return useQuery({
    queryKey: ['settings', 'holders', projectId],
    queryFn: async ({ signal }) =>
      (await graphql.query(operations.getHolders, { projectId }, signal)).permissionHolders,
    meta: { silent: true },
  });
}
