import { useEffect, useState } from 'react';
import { failureMessage } from '../../../client/errors.ts';
import { getNotifications, muteNotifications } from '../../../client/notifications.ts';
import { failures } from '../../../domain/messages.ts';
import { useGraphql, useNotify, useUser } from '../../shell/services/services.ts';

/** Whether the user muted the issue: loaded when it is first `wanted`, so that a panel that is only viewed asks nothing. */
export function useMute(issueId: string, wanted: boolean): { muted: boolean; toggle(): void } {
  const graphql = useGraphql();
  const notify = useNotify();
  const { isAnonymous } = useUser();
  const [muted, setMuted] = useState<boolean | undefined>(undefined);
  const isMissing = wanted && muted === undefined && !isAnonymous;
  useEffect(() => {
    if (!isMissing) return;
    const ended = new AbortController();
    graphql.query(getNotifications, { issueId }, ended.signal).then(
      ({ notificationSettings }) => setMuted(notificationSettings.muted),
      // The menu then offers to mute; doing so twice does no harm.
      () => undefined,
    );
    return () => ended.abort();
  }, [isMissing, graphql, issueId]);

  const toggle = async () => {
    const next = muted !== true;
    try {
      await graphql.mutate(muteNotifications, { issueId, muted: next }, data => data.muteNotifications);
      setMuted(next);
      notify(next ? 'Notifications of this issue are muted.' : 'You get notifications of this issue again.');
    } catch (error) {
      notify(failureMessage(error, failures.unknown), 'error');
    }
  };
  return { muted: muted === true, toggle: () => void toggle() };
}
