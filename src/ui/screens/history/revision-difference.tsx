import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { failureMessage } from '../../../client/errors.ts';
import { getRevision, type Position } from '../../../client/history.ts';
import { shell } from '../../../domain/messages.ts';
import { loadEmoji } from '../../../text/emoji.ts';
import { mentionsIn } from '../../../text/export/person.ts';
import { Loading } from '../../kit/content-state.tsx';
import { Message } from '../../kit/message.tsx';
import { usePeople } from '../../model/people.tsx';
import { useGraphql } from '../../shell/services/services.ts';
import { TextDifference } from '../../text-editor/text-editor.tsx';
import { readable } from './row-change.tsx';

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
  return <Readable before={before.data} after={after.data} />;
}

/** The difference, once people and emoji are known or cannot be loaded. */
function Readable({ before, after }: { before: string; after: string }) {
  const accounts = useMemo(() => [...new Set([...mentionsIn(before), ...mentionsIn(after)])], [before, after]);
  const people = usePeople(accounts);
  const { data: emoji, isPending } = useQuery({
    queryKey: ['emoji'],
    queryFn: async () => (await loadEmoji()).glyph,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { silent: true },
  });
  if (isPending) return <Loading size="small" />;
  const shown = (text: string) =>
    readable(
      text,
      id => people.get(id)?.name,
      code => emoji?.(code),
    );
  return <TextDifference before={shown(before)} after={shown(after)} />;
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
