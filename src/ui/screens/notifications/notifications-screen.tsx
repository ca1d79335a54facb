import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { chooseNotifications, getNotifications } from '../../../client/admin/notifications.ts';
import type { NotifyMode } from '../../../domain/automation/notifications.ts';
import { failures, refusals } from '../../../domain/messages.ts';
import { Failure, useOptimisticValues } from '../../kit/form/form.tsx';
import { Message } from '../../kit/message.tsx';
import { QueryResult } from '../../kit/query-result.tsx';
import { Back, BackToChecklist, Page } from '../../shell/plain-pages.tsx';
import { useGraphql, useHostContext, useUser } from '../../shell/services/services.ts';

/** The notification settings of the user. */
export default function NotificationsScreen() {
  const { isAnonymous } = useUser();
  const { issueId } = useHostContext();
  return (
    <Page
      title="Notifications"
      back={issueId === undefined ? <Back to="/assigned-items">Back to assigned items</Back> : <BackToChecklist />}
    >
      {isAnonymous ? <Message appearance="warning">{refusals.permission}</Message> : <Choice />}
    </Page>
  );
}

const choices: readonly { mode: NotifyMode; words: string; hint: string }[] = [
  { mode: 'OFF', words: 'Off', hint: 'You get no email about checklists.' },
  {
    mode: 'MINE',
    words: 'My items',
    hint: 'Items that others assign to you or mention you in, and your items that are due tomorrow or overdue.',
  },
  {
    mode: 'ALL',
    words: 'My items and items that I assigned',
    hint: 'Also items that you assigned to others, when they are due tomorrow or overdue.',
  },
];

/** The user's settings and their mutation, which is optimistic. */
function useNotifications() {
  const graphql = useGraphql();
  const client = useQueryClient();
  const queryKey = ['notifications'];
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await graphql.query(getNotifications, { issueId: null }, signal)).notificationSettings,
    meta: { silent: true },
  });
  const { chosen, errors, choose, answered } = useOptimisticValues<{ mode: NotifyMode }>();
  const change = useMutation({
    mutationFn: (mode: NotifyMode) =>
      graphql.mutate(chooseNotifications, { mode }, data => data.updateNotificationSettings),
    scope: { id: 'notifications' },
    onSuccess: ({ settings }) => {
      if (settings) client.setQueryData(queryKey, settings);
    },
    onError: () => void client.invalidateQueries({ queryKey }),
    onSettled: (_answer, error, mode) => answered({ mode }, error),
    meta: { failure: failures.unknown },
  });
  return {
    ...query,
    data: query.data && { ...query.data, ...chosen },
    errors,
    choose(mode: NotifyMode) {
      choose({ mode });
      change.mutate(mode);
    },
  };
}

function Choice() {
  const settings = useNotifications();
  const id = useId();
  return (
    <QueryResult of={settings}>
      {({ mode: current }) => (
        <>
          <fieldset className="form-field">
            <legend className="form-label">Email notifications</legend>
            {choices.map(({ mode, words, hint }) => (
              <div key={mode} className="form-check">
                <input
                  id={`${id}-${mode}`}
                  type="radio"
                  name={id}
                  checked={mode === current}
                  aria-describedby={`${id}-${mode}-hint`}
                  onChange={() => settings.choose(mode)}
                />
                <span>
                  <label htmlFor={`${id}-${mode}`}>{words}</label>{' '}
                  <span id={`${id}-${mode}-hint`} className="form-hint">
                    {hint}
                  </span>
                </span>
              </div>
            ))}
          </fieldset>
          <Failure of={settings.errors.mode} />
          <p className="page-note">
            You get at most one email an hour, and none about your own changes. To mute an issue, choose “Mute
            notifications” in its checklist actions.
          </p>
        </>
      )}
    </QueryResult>
  );
}
