import { issuePath } from '../../domain/pages.ts';
import { profilePath } from '../../domain/user.ts';
import type { Segment } from '../../text/inline.ts';
import { usePersonName } from './people.ts';
import { TrackerLink } from './tracker-link.tsx';

interface Props {
  segments: readonly Segment[];
  /** Inside a link: no other link may stand there. */
  linked?: boolean;
}

/** What stands inside a line, as the tree cuts it; the markup itself is not shown. */
export const Inline = ({ segments, linked = false }: Props) =>
  segments.map((segment, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: segments have nothing but their order.
    <Piece key={index} segment={segment} linked={linked} />
  ));

function Piece({ segment, linked }: { segment: Segment; linked: boolean }) {
  switch (segment.type) {
    case 'bold':
      return (
        <strong>
          <Inline segments={segment.children} linked={linked} />
        </strong>
      );
    case 'italic':
      return (
        <em>
          <Inline segments={segment.children} linked={linked} />
        </em>
      );
    case 'strike':
      return (
        <s>
          <Inline segments={segment.children} linked={linked} />
        </s>
      );
    case 'code':
      return <code className="check-code">{segment.text}</code>;
    case 'link':
      return (
        <a href={segment.href} target="_blank" rel="noopener noreferrer">
          <Inline segments={segment.children} linked />
        </a>
      );
    case 'url':
    case 'issueUrl':
      return (
        <a href={segment.href} target="_blank" rel="noopener noreferrer">
          {segment.text}
        </a>
      );
    case 'issueKey':
      return <TrackerLink path={issuePath(segment.value)}>{segment.text}</TrackerLink>;
    case 'mention':
      return <Mention accountId={segment.value} linked={linked} />;
    case 'date':
      return (
        <time className="check-date" dateTime={segment.value}>
          {segment.text}
        </time>
      );
    case 'mentionName':
    case 'emoji':
    case 'text':
      return segment.text;
  }
}

/** A person by name, with the way to the tracker's page about them. */
function Mention({ accountId, linked }: { accountId: string; linked: boolean }) {
  const name = `@${usePersonName(accountId) ?? '…'}`;
  return (
    <span className="check-mention">
      {linked ? name : <TrackerLink path={profilePath(accountId)}>{name}</TrackerLink>}
    </span>
  );
}
