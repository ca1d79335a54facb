import { issuePath } from '../../../domain/pages.ts';
import { TrackerLink } from '../../shell/navigation/tracker-link.tsx';

export interface IssueProps {
  issueKey: string;
  text: string;
  /** The address that names it, which may be another site's. */
  href?: string;
}

/** An issue by its words alone: for good where nothing more is known of it. */
export const PlainIssue = ({ issueKey, text, href }: IssueProps) =>
  href === undefined ? (
    <TrackerLink path={issuePath(issueKey)}>{text}</TrackerLink>
  ) : (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );
