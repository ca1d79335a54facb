import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ApiToken, createApiToken, getApiTokens, revokeApiToken } from '../../../client/admin/api-tokens.ts';
import { apiTokens as messages } from '../../../domain/messages.ts';
import { useGraphql } from '../../shell/services/services.ts';
import { useLiveQuery } from '../../shell/use-live-query.ts';

/** The values of a new token. */
export interface TokenInput {
  name: string;
  scope: ApiToken['scope'];
  projectIds: readonly string[];
  /** Days until it expires; `null` for never. */
  days: number | null;
}

const KEY = ['api tokens'];
const DAY = 86_400_000;

/** The site's API tokens and their mutations. A new token's secret is not cached. */
export function useApiTokens() {
  const graphql = useGraphql();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => graphql.query(getApiTokens, {}, signal),
    meta: { silent: true },
  });
  useLiveQuery('settings', KEY);
  const refetch = () => void client.invalidateQueries({ queryKey: KEY });
  const create = useMutation({
    mutationFn: ({ name, scope, projectIds, days }: TokenInput) => {
      const until = days === null ? null : new Date(Date.now() + days * DAY).toISOString();
      const input = { name, scope, projectIds: [...projectIds], until };
      return graphql.mutate(createApiToken, { input }, data => data.createApiToken);
    },
    gcTime: 0,
    onSuccess: refetch,
    meta: { success: messages.created, failure: messages.create },
  });
  const revoke = useMutation({
    mutationFn: (id: string) => graphql.mutate(revokeApiToken, { id }, data => data.revokeApiToken),
    onSuccess: ({ tokens }) => {
      if (tokens) client.setQueryData(KEY, (known: object | undefined) => known && { ...known, apiTokens: tokens });
    },
    onError: refetch,
    meta: { success: messages.revoked, failure: messages.revoke },
  });
  return { ...query, create, revoke };
}
