import type { HostIssueLine, HostUser } from '../../wire/site.ts';
import { issueAddress } from '../app/site.ts';
import { Link } from './link.tsx';
import { nested } from './nested.ts';

/** The colour is that of the status category in the tracker's REST API. */
export const Lozenge = ({ name, color }: { name: string; color: string }) => (
  <span className="lozenge" data-color={color}>
    {name}
  </span>
);

export const Icon = ({ of: { name, icon } }: { of: { name: string; icon: string } }) => (
  <img className="icon" src={icon} alt={name} title={name} width={16} height={16} />
);

export const Person = ({ user }: { user: HostUser | undefined }) =>
  user ? (
    <Link className="person" href={`/jira/people/${encodeURIComponent(user.accountId)}`}>
      <Avatar user={user} />
      {user.displayName}
    </Link>
  ) : (
    <span className="subtle">None</span>
  );

export const Avatar = ({ user, size = 24 }: { user: HostUser; size?: number }) => (
  <img className="avatar" src={user.avatar} alt="" width={size} height={size} />
);

interface IssueLinesProps {
  issues: readonly HostIssueLine[];
  /** The user: customers go to the portal. */
  user: HostUser;
  label: string;
}

/** Issues below their parents, if those are in the list. */
export const IssueLines = ({ issues, user, label }: IssueLinesProps) => (
  <ul className="issue-lines" aria-label={label}>
    {nested(issues).map(({ issue, depth }) => (
      <li key={issue.key} data-depth={depth}>
        <Link className="issue-line" href={issueAddress(user, issue.key)}>
          <Icon of={issue.type} />
          <span className="issue-key">{issue.key}</span>
          <span className="issue-summary">{issue.summary}</span>
          <Lozenge {...issue.status} />
        </Link>
      </li>
    ))}
  </ul>
);
