import { Suspense } from 'react';
import { dayWords } from '../../../domain/days.ts';
import { chips } from '../../../domain/messages.ts';
import { issuePath } from '../../../domain/pages.ts';
import { personName, unknownPerson } from '../../../domain/person.ts';
import { profilePath } from '../../../domain/user.ts';
import type { Segment } from '../../../text/inline.ts';
import { lazyComponent } from '../../kit/lazy-component.tsx';
import { Avatar, usePerson } from '../../model/people.tsx';
import { useToday } from '../../model/today.ts';
import { TrackerLink } from '../../shell/navigation/links.tsx';
import type { EmojiProps } from './loaded-segments.tsx';
import './inline.css';

export interface IssueProps {
  issueKey: string;
  text: string;
  /** The URL in the text, possibly of another site. */
  href?: string;
}

/** An issue as a plain link: until it is loaded, or if it cannot be. */
export const PlainIssue = ({ issueKey, text, href }: IssueProps) =>
  href === undefined ? (
    <TrackerLink path={issuePath(issueKey)}>{text}</TrackerLink>
  ) : (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );

interface Props {
  segments: readonly Segment[];
  /** Inside a link: renders no nested link. */
  linked?: boolean;
  /** ISO due date of the item, if it is not completed. */
  due?: string | undefined;
}

/** The segments of a text, without markup. */
export const Inline = ({ segments, ...rest }: Props) =>
  segments.map((segment, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: segments have no ids.
    <InlineSegment key={index} segment={segment} {...rest} />
  ));

function InlineSegment({ segment, ...rest }: Omit<Props, 'segments'> & { segment: Segment }) {
  switch (segment.type) {
    case 'bold':
      return (
        <strong>
          <Inline segments={segment.children} {...rest} />
        </strong>
      );
    case 'italic':
      return (
        <em>
          <Inline segments={segment.children} {...rest} />
        </em>
      );
    case 'strike':
      return (
        <s>
          <Inline segments={segment.children} {...rest} />
        </s>
      );
    case 'code':
      return <code className="check-code">{segment.text}</code>;
    case 'link':
      return (
        <a href={segment.href} target="_blank" rel="noopener noreferrer">
          <Inline segments={segment.children} {...rest} linked />
        </a>
      );
    case 'url':
      return (
        <a href={segment.href} target="_blank" rel="noopener noreferrer">
          {segment.text}
        </a>
      );
    case 'issueUrl':
      return <Issue issueKey={segment.value} href={segment.href} text={segment.text} />;
    case 'issueKey':
      return <Issue issueKey={segment.value} text={segment.text} />;
    case 'mention':
      return <Mention accountId={segment.value} linked={rest.linked ?? false} />;
    case 'date':
      return <Day day={segment.value} text={segment.text} due={rest.due} />;
    case 'emoji':
      return (
        <Suspense fallback={segment.text}>
          <Emoji code={segment.value} text={segment.text} />
        </Suspense>
      );
    case 'gate':
      return <Mark>{chips.gate(segment.value)}</Mark>;
    case 'customers':
      return <Mark>{chips.customers}</Mark>;
    case 'mentionName':
    case 'text':
      return segment.text;
  }
}

/** A mark of a header. */
const Mark = ({ children }: { children: string }) => <span className="check-mark">{children}</span>;

/** A person's avatar and name, linked to their profile in the tracker. */
export function Mention({ accountId, linked }: { accountId: string; linked: boolean }) {
  const person = usePerson(accountId);
  if (person === null) return <span className="check-mention check-mention-unknown">{unknownPerson}</span>;
  const words = (
    <>
      <Avatar picture={person?.avatar} name={person?.name} /> @{person?.name ?? '…'}
    </>
  );
  return (
    <span className="check-mention">
      {linked ? words : <TrackerLink path={profilePath(accountId)}>{words}</TrackerLink>}
    </span>
  );
}

interface DayProps {
  /** ISO day and its source text. */
  day: string;
  text: string;
  due: string | undefined;
}

/** A day in words, marked with a word if due today or overdue. */
export function Day({ day, text, due }: DayProps) {
  const today = useToday();
  const mark = day !== due || day > today ? undefined : day === today ? 'today' : 'overdue';
  return (
    <time className={mark ? `check-date check-date-${mark}` : 'check-date'} dateTime={day} title={text}>
      {dayWords(day, today)}
      {mark ? <strong> {mark}</strong> : null}
    </time>
  );
}

const Emoji = lazyComponent<EmojiProps>(
  async () => ({ default: (await import('./loaded-segments.tsx')).Emoji }),
  ({ text }) => text,
);
const Chip = lazyComponent<IssueProps>(
  async () => ({ default: (await import('./loaded-segments.tsx')).IssueChip }),
  PlainIssue,
);

function Issue(props: IssueProps) {
  const plain = <PlainIssue {...props} />;
  // As wide as the chip, against layout shift.
  const room = props.href === undefined ? <span className="check-issue">{plain}</span> : plain;
  return (
    <Suspense fallback={room}>
      <Chip {...props} />
    </Suspense>
  );
}

/** A person's name; an ellipsis while loading. */
export function PersonName({ accountId }: { accountId: string }) {
  const person = usePerson(accountId);
  return accountId === '' ? unknownPerson : personName(person);
}

/** A person's avatar and name. */
export const Person = ({ accountId }: { accountId: string }) => {
  const person = usePerson(accountId);
  return (
    <>
      <Avatar picture={person?.avatar} name={person?.name} />
      <PersonName accountId={accountId} />
    </>
  );
};
