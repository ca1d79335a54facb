import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createIssues } from '../../../client/issues.ts';
import { TrackerLink, useSite } from '../../shell/navigation/tracker-link.tsx';
import { useServices } from '../../shell/services/services.ts';
import { type IssueProps, PlainIssue } from './inline.tsx';
import './issue-chip.css';

const waiting = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Becomes true when an element is in sight for the first time: nobody asks for what nobody sees. */
function useSeen(ref: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    const element = ref.current;
    if (!element || seen) return undefined;
    observer ??= new IntersectionObserver(
      entries => {
        for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.();
      },
      { root: document, rootMargin: '200px 0px' },
    );
    const own = observer;
    waiting.set(element, () => setSeen(true));
    own.observe(element);
    return () => own.unobserve(element);
  }, [ref, seen]);
  return seen;
}

/** An issue with its type, summary and status, as the tracker's own pages show one. It is as wide before it is known. */
export default function IssueChip({ issueKey, text, href }: IssueProps) {
  const site = useSite();
  const foreign = href !== undefined && !(site !== '' && href.startsWith(`${site}/browse/`));
  return foreign ? (
    <PlainIssue issueKey={issueKey} text={text} href={href} />
  ) : (
    <Known issueKey={issueKey} text={href === undefined ? text : issueKey} />
  );
}

function Known({ issueKey, text }: IssueProps) {
  const issues = useServices().once(createIssues);
  const place = useRef<HTMLSpanElement>(null);
  const seen = useSeen(place);
  useEffect(() => {
    if (seen) issues.request(issueKey);
  }, [issues, issueKey, seen]);
  const issue = useSyncExternalStore(issues.subscribe, () => issues.get().get(issueKey));
  if (issue === null) return <PlainIssue issueKey={issueKey} text={text} />;
  if (!issue) {
    return (
      <span ref={place} className="check-issue">
        <PlainIssue issueKey={issueKey} text={text} />
      </span>
    );
  }
  const { link, name, status } = issue;
  return (
    <span className="check-issue">
      <TrackerLink path={link}>
        <img className="check-issue-icon" src={status.icon} alt="" />{' '}
        <span className="check-issue-key">{issueKey}</span>{' '}
        <span className="check-issue-name" title={name} dir="auto">
          {name}
        </span>{' '}
        <span className={`check-status check-status-${status.lozenge}`}>{status.title}</span>
      </TrackerLink>
    </span>
  );
}
