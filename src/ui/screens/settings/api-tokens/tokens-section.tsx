import Button from '@atlaskit/button/new';
import AddIcon from '@atlaskit/icon/core/add';
import DeleteIcon from '@atlaskit/icon/core/delete';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type ApiToken, createApiToken, getApiTokens, revokeApiToken } from '../../../../client/admin/api-tokens.ts';
import { apiTokens as messages } from '../../../../domain/messages.ts';
import { personName } from '../../../../domain/person.ts';
import { useOpener } from '../../../kit/focus.ts';
import { FormButtons } from '../../../kit/form/form.tsx';
import { InlineDialog } from '../../../kit/popover.tsx';
import { QueryResult } from '../../../kit/query-result.tsx';
import { RowButton } from '../../../kit/sortable/sortable.tsx';
import { timeSince } from '../../../model/days.ts';
import { useFormDrafts } from '../../../model/drafts/use-form-draft.ts';
import { usePeople } from '../../../model/people.tsx';
import { projectName, useProjectNames } from '../../../model/projects.tsx';
import { useLeave } from '../../../shell/navigation/navigation.ts';
import { NewSecret } from '../../../shell/new-secret.tsx';
import { useGraphql } from '../../../shell/services/services.ts';
import { useLiveQuery } from '../../../shell/use-live-query.ts';
import { TokenForm, type TokenInput } from './token-form.tsx';
import '../../../kit/sortable/sortable.css';
import '../settings.css';

const QUERY_KEY = ['api tokens'];
const DAY_MS = 86_400_000;

/** The open form or message; at most one is open at a time. */
type Open = { kind: 'create' } | { kind: 'secret'; name: string; secret: string } | { kind: 'revoke'; id: string };

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

const isExpired = ({ until }: ApiToken, now: number): boolean => until !== null && Date.parse(until) <= now;

/** The scope of a token, its expiry, and its last use, in words. */
function wordsOf(
  token: ApiToken,
  projects: ReadonlyMap<string, string> | undefined,
  creator: string,
  now: number,
): string {
  const { scope, projectIds, until, used } = token;
  const names = projectIds.map(id => projectName(projects, id));
  const expiry = until === null ? 'never expires' : `expires ${day.format(new Date(until))}`;
  return [
    scope === 'READ' ? 'Read' : 'Read and write',
    names.length === 0 ? 'all projects' : names.join(', '),
    isExpired(token, now) ? `expired ${day.format(new Date(until ?? 0))}` : expiry,
    used === null ? 'never used' : `used ${timeSince(Date.parse(used), now)}`,
    `created by ${creator}`,
  ].join(' · ');
}

/** The site's API tokens: list, creation and revocation. */
export function ApiTokensSection() {
  useFormDrafts();
  const tokens = useApiTokens();
  const [open, setOpen] = useState<Open | undefined>(undefined);
  const section = useRef<HTMLElement>(null);
  /** The control to focus when the open form or message closes. */
  const opener = useOpener(open !== undefined, section);
  const leave = useLeave();
  const show = (next: { kind: 'create' } | { kind: 'revoke'; id: string }) =>
    leave(() => {
      opener.current = next.kind === 'create' ? 'create' : `revoke ${next.id}`;
      setOpen(next);
    });
  /** Closes the open form or message, unless another one was opened meanwhile. */
  const close = () => setOpen(now => (now === open ? undefined : now));
  const { create, revoke, data } = tokens;
  return (
    <section ref={section} className="settings-section" aria-labelledby="api-tokens-title">
      <div className="page-title">
        <h2 id="api-tokens-title">API tokens</h2>
        <Button iconBefore={AddIcon} data-opens="create" onClick={() => show({ kind: 'create' })}>
          Create API token
        </Button>
      </div>
      <p className="page-note">
        With a token, a program reads and changes checklists as the app, not as a person. It can see the checklists of
        all issues that the app can see in the token’s projects.
        {data ? (
          <>
            {' '}
            The API is at <code className="api-tokens-address">{data.apiUrl}</code>.
          </>
        ) : null}
      </p>
      {open?.kind === 'create' ? (
        <TokenForm
          busy={create.isPending}
          onCreate={async values => {
            const { secret, token } = await create.mutateAsync(values);
            create.reset();
            if (secret !== null && token) setOpen({ kind: 'secret', name: token.name, secret });
            else close();
          }}
          onClose={close}
        />
      ) : null}
      {open?.kind === 'secret' ? (
        <NewSecret what="token" label={`Token ${open.name}`} value={open.secret} onDone={close} />
      ) : null}
      <QueryResult of={tokens}>
        {({ apiTokens }) => (
          <TokenList
            tokens={apiTokens}
            isCreating={open?.kind === 'create'}
            revoking={open?.kind === 'revoke' ? open.id : undefined}
            busy={revoke.isPending}
            onAsk={id => show({ kind: 'revoke', id })}
            onRevoke={id =>
              revoke.mutateAsync(id).then(() => {
                // The button that opened the question disappears with the token.
                opener.current = 'create';
                close();
              })
            }
            onClose={close}
          />
        )}
      </QueryResult>
    </section>
  );
}

interface ListProps {
  tokens: readonly ApiToken[];
  isCreating: boolean;
  /** Id of the token whose revocation is to be confirmed. */
  revoking: string | undefined;
  busy: boolean;
  onAsk(id: string): void;
  /** Rejects if the token is not revoked. */
  onRevoke(id: string): Promise<unknown>;
  onClose(): void;
}

function TokenList({ tokens, isCreating, revoking, busy, onAsk, onRevoke, onClose }: ListProps) {
  const { data: projects } = useProjectNames([...new Set(tokens.flatMap(token => token.projectIds))]);
  const people = usePeople(tokens.map(({ account }) => account));
  const nowMs = Date.now();
  if (tokens.length === 0) {
    return isCreating ? null : <p className="statuses-none">No tokens yet. Create one for each program.</p>;
  }
  return (
    <ul className="sortable" aria-label="API tokens">
      {tokens.map(token => {
        const { id, name, account } = token;
        if (id === revoking) {
          return (
            <li key={id} className="sortable-item">
              <InlineDialog className="form form-boxed" label={`Revoke ${name}?`} onClose={onClose}>
                <p className="statuses-use">
                  Programs that use “<span dir="auto">{name}</span>” can no longer read or change checklists. This can’t
                  be undone.
                </p>
                <FormButtons
                  save="Revoke token"
                  appearance="danger"
                  busy={busy}
                  onSave={() => onRevoke(id)}
                  failed={messages.revoke}
                  onCancel={onClose}
                />
              </InlineDialog>
            </li>
          );
        }
        return (
          <li key={id} className="sortable-item api-tokens-item">
            <span className="api-tokens-name" dir="auto">
              {name}
            </span>
            <span className="statuses-about">{wordsOf(token, projects, personName(people.get(account)), nowMs)}</span>
            <RowButton
              icon={DeleteIcon}
              label={`Revoke ${name}`}
              data-opens={`revoke ${id}`}
              onClick={() => onAsk(id)}
            />
          </li>
        );
      })}
    </ul>
  );
}

/** The site's API tokens and their mutations. A new token's secret is not cached. */
function useApiTokens() {
  const graphql = useGraphql();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: QUERY_KEY,
    queryFn: ({ signal }) => graphql.query(getApiTokens, {}, signal),
    meta: { silent: true },
  });
  useLiveQuery('settings', QUERY_KEY);
  const refetch = () => void client.invalidateQueries({ queryKey: QUERY_KEY });
  const create = useMutation({
    mutationFn: ({ name, scope, projectIds, days }: TokenInput) => {
      const until = days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString();
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
      if (tokens)
        client.setQueryData(QUERY_KEY, (known: object | undefined) => known && { ...known, apiTokens: tokens });
    },
    onError: refetch,
    meta: { success: messages.revoked, failure: messages.revoke },
  });
  return { ...query, create, revoke };
}
