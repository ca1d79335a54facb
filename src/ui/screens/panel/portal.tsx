import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type ReactNode, use, useMemo } from 'react';
import { graphql as document, operation } from '../../../client/operation.ts';
import { enforcement } from '../../../domain/messages.ts';
import type { Segment } from '../../../text/inline.ts';
import { sections } from '../../../text/progress.ts';
import { readChecklist } from '../../../text/read.ts';
import { statusRegistry } from '../../../text/status-registry.ts';
import { ChecklistHeader } from '../../checklist/header.tsx';
import { PreviewHeader, PreviewItem } from '../../checklist/row/static-row.tsx';
import { type Line, lineOf } from '../../model/rows/row-segments.ts';
import { retryInterval } from '../../shell/services/retry-interval.ts';
import { useGraphql, useServices } from '../../shell/services/services.ts';
import '../../checklist/checklist.css';

/** The sections for customers, empty if there is none, and the custom statuses that they name. */
const getPortalChecklist = operation(
  document(`query getPortalChecklist($issueId: ID!) {
    portalChecklist(issueId: $issueId) { mode text statuses { slug name checked color } }
  }`),
);

interface Props {
  issueId: string;
  /** The panel with the whole checklist, if customers see that. */
  children: ReactNode;
}

/** An open portal is read again at this interval. */
const REFRESH_INTERVAL_MS = 60_000;

const nothing = () => undefined;

/** Customers cannot open issues: their keys and addresses are text. */
const withoutIssues = (segments: readonly Segment[]): readonly Segment[] =>
  segments.map(segment => {
    if (segment.type === 'issueKey' || segment.type === 'issueUrl') return { type: 'text', text: segment.text };
    return 'children' in segment ? { ...segment, children: [...withoutIssues(segment.children)] } : segment;
  });

const lineFor = (line: Line): Line => ({
  ...line,
  words: withoutIssues(line.words),
  details: line.details.map(withoutIssues),
});

/**
 * Shows sections for customers, or the panel; nothing while the choice is unknown. The portal has a card for the frame
 * in any case, so a line says if no section is for customers.
 */
function Sections({ issueId, children }: Props) {
  const graphql = useGraphql();
  const { data } = useQuery({
    queryKey: ['portal', issueId],
    queryFn: async ({ signal }) => (await graphql.query(getPortalChecklist, { issueId }, signal)).portalChecklist,
    refetchInterval: query => retryInterval(query) || REFRESH_INTERVAL_MS,
    meta: { silent: true },
  });
  const checklist = useMemo(
    () => readChecklist(data?.text ?? '', statusRegistry(data?.statuses ?? [])),
    [data?.text, data?.statuses],
  );
  const owned = useMemo(() => new Map(sections(checklist).map(one => [one.header, one.progress])), [checklist]);
  if (data?.mode === 'ALL') return children;
  const { rows } = checklist;
  if (!data) return null;
  if (rows.length === 0)
    return (
      <main className="check-panel">
        <h1 className="check-hidden">Progress</h1>
        {enforcement.nothingForCustomers}
      </main>
    );
  return (
    <main className="check-panel">
      <h1 className="check-name">Progress</h1>
      <ChecklistHeader rows={rows} state="saved" why={undefined} volatile={false} onSend={nothing}>
        {null}
      </ChecklistHeader>
      <ul className="static-rows">
        {rows.map((row, index) => {
          const line = lineFor(lineOf(checklist, index, row));
          const progress = owned.get(index);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no key but their order.
            <li key={index}>
              {row.kind === 'header' ? (
                <PreviewHeader row={row} line={line} checked={progress?.checked ?? 0} total={progress?.total ?? 0} />
              ) : (
                <PreviewItem row={row} line={line} editable={false} onToggle={nothing} />
              )}
            </li>
          );
        })}
      </ul>
    </main>
  );
}

/** A request's checklist in the portal, read-only. */
export default function Portal(props: Props) {
  const client = use(useServices().queries());
  return (
    <QueryClientProvider client={client}>
      <Sections {...props} />
    </QueryClientProvider>
  );
}
