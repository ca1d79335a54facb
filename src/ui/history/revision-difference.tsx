import { useQuery } from '@tanstack/react-query';
import { failureMessage } from '../../client/errors.ts';
import { getRevision, type Position } from '../../client/history.ts';
import { shell } from '../../domain/messages.ts';
import { Loading } from '../kit/content-state.tsx';
import { Message } from '../kit/message.tsx';
import { useGraphql } from '../shell/services/services.ts';
import { TextDifference } from '../text-editor/text-editor.tsx';

interface Props {
  issueId: string;
  /** The previous revision; `null` for the empty text. */
  from: Position | null;
  to: Position;
}

/** The difference between two revisions' texts. */
export default function Difference({ issueId, from, to }: Props) {
  const before = useText(issueId, from);
  const after = useText(issueId, to);
  const error = before.error ?? after.error;
  if (error) {
    const retry = () => void (before.error ? before : after).refetch();
    return (
      <Message appearance="error" actions={[{ label: shell.retry, run: retry }]}>
        {failureMessage(error)}
      </Message>
    );
  }
  if (before.data === undefined || after.data === undefined) return <Loading size="small" />;
  return <TextDifference before={before.data} after={after.data} />;
}

/** A revision's text, which is immutable. */
function useText(issueId: string, position: Position | null) {
  const graphql = useGraphql();
  const { epoch = '', seq = 0 } = position ?? {};
  return useQuery({
    queryKey: ['revision', issueId, epoch, seq],
    queryFn: async ({ signal }) =>
      position ? (await graphql.query(getRevision, { issueId, epoch, seq }, signal)).checklistRevision.text : '',
    staleTime: Number.POSITIVE_INFINITY,
    meta: { silent: true },
  });
}
