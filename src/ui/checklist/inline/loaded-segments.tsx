import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createIssues } from '../../../client/issues.ts';
import { createStore } from '../../../client/store.ts';
import { type EmojiTable, loadEmoji } from '../../../text/emoji.ts';
import { TrackerLink, useSite } from '../../shell/navigation/links.tsx';
import { useServices } from '../../shell/services/services.ts';
import { type IssueProps, PlainIssue } from './inline.tsx';
import './inline.css';

/** The callback of each element that waits to be visible. One observer serves the whole document. */
const waiting = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Becomes true when an element is first visible: only visible issues are requested. */
function useWasVisible(ref: RefObject<Element | null>): boolean {
  const [visible, setVisible] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    const element = ref.current;
    if (!element || visible) return undefined;
    observer ??= new IntersectionObserver(
      entries => {
        for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.();
      },
      { root: document, rootMargin: '200px 0px' },
    );
    const currentObserver = observer;
    waiting.set(element, () => setVisible(true));
    currentObserver.observe(element);
    return () => currentObserver.unobserve(element);
  }, [ref, visible]);
  return visible;
}

/** An issue with type icon, key, summary and status, as in the tracker. Has the same width while loading. */
export function IssueChip({ issueKey, text, href }: IssueProps) {
  const site = useSite();
  const foreign = href !== undefined && !(site !== '' && href.startsWith(`${site}/browse/`));
  return foreign ? (
    <PlainIssue issueKey={issueKey} text={text} href={href} />
  ) : (
    <LoadedIssue
      issueKey={issueKey}
      text={href === undefined ? text : issueKey}
      // A query may point to a comment.
      path={href?.slice(site.length)}
    />
  );
}

interface LoadedProps extends Omit<IssueProps, 'href'> {
  /** The target's path, if it is not simply the issue. */
  path: string | undefined;
}

function LoadedIssue({ issueKey, text, path }: LoadedProps) {
  const issues = useServices().once(createIssues);
  const root = useRef<HTMLSpanElement>(null);
  const visible = useWasVisible(root);
  useEffect(() => {
    if (visible) issues.request(issueKey);
  }, [issues, issueKey, visible]);
  const issue = useSyncExternalStore(issues.subscribe, () => issues.get().get(issueKey));
  if (issue === null) return <PlainIssue issueKey={issueKey} text={text} />;
  if (!issue) {
    return (
      <span ref={root} className="check-issue">
        <PlainIssue issueKey={issueKey} text={text} />
      </span>
    );
  }
  const { link, name, priority, status } = issue;
  return (
    <span className="check-issue">
      <TrackerLink path={path ?? link}>
        <img className="check-issue-icon" src={status.icon} alt="" />{' '}
        <span className="check-issue-key">{issueKey}</span>{' '}
        <span className="check-issue-name" title={name} dir="auto">
          {name}
        </span>{' '}
        {priority ? (
          <img
            className="check-issue-icon"
            src={priority.icon}
            alt={`Priority: ${priority.title}`}
            title={`Priority: ${priority.title}`}
          />
        ) : null}{' '}
        <span className={`check-status check-status-${status.lozenge}`}>{status.title}</span>
      </TrackerLink>
    </span>
  );
}

const table = createStore<EmojiTable | undefined>(undefined);

/** Loads the table with the first emoji. If that fails, codes stay text. */
function subscribe(listener: () => void): () => void {
  loadEmoji().then(table.set, () => undefined);
  return table.subscribe(listener);
}

export interface EmojiProps {
  /** Without colons. */
  code: string;
  /** The source text. */
  text: string;
}

/** An emoji by its code; an unknown code stays text. */
export function Emoji({ code, text }: EmojiProps) {
  return useSyncExternalStore(subscribe, table.get)?.glyph(code) ?? text;
}
