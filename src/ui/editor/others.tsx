import { useQuery } from '@tanstack/react-query';
import { getEditors } from '../../client/documents.ts';
import { useGraphql, useLive } from '../app/hooks.ts';
import { usePersonName } from '../checklist/people.ts';

const Name = ({ accountId }: { accountId: string }) => usePersonName(accountId) ?? 'Somebody';

/** Who else has this checklist open as text. Their changes come in as they save; this says whom to expect. */
export function OtherEditors({ issueId, editing }: { issueId: string; editing: boolean }) {
  const graphql = useGraphql();
  const { data = [], refetch } = useQuery({
    queryKey: ['editors', issueId],
    queryFn: async ({ signal }) => (await graphql.query(getEditors, { issueId }, signal)).editors,
    meta: { silent: true },
    // Those whose browser died are gone after a minute, and nobody tells of it.
    refetchInterval: ({ state }) => (state.data?.length ? 60_000 : false),
  });
  useLive({ issue: issueId, editing }, ({ kind }) => {
    if (kind === 'presence' || kind === 'open' || kind === 'gap') void refetch();
  });
  const [first, ...more] = data;
  return (
    <span className="editor-others" role="status">
      {first === undefined ? null : (
        <>
          <Name accountId={first} />
          {more.length === 0 ? ' is editing too' : ` and ${more.length} more are editing too`}
        </>
      )}
    </span>
  );
}
