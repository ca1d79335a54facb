import type { ReactNode } from 'react';
import { unknownPerson } from '../../../domain/person.ts';
import { Avatar } from '../../kit/avatar.tsx';
import { usePerson } from '../../model/people.ts';
import type { Tail } from '../../model/rows/row-segments.ts';
import { useUser } from '../../shell/services/services.ts';
import { Day } from '../inline/inline.tsx';
import type { OpenPart, Part } from './use-open-part.ts';
import './row.css';

interface Props {
  tail: Tail;
  /** The item's words, for those who hear the controls' names. */
  item: string;
  /** ISO day by which it is due, as long as it is open. */
  due: string | undefined;
  editable: boolean;
  tab: 0 | -1;
  opened: OpenPart;
}

/** Whom an item is for and by when, beside its words, or below them where there is little room. */
export function Meta({ tail: { person, date }, item, due, ...rest }: Props) {
  if (person === undefined && date === undefined) return null;
  return (
    <span className="check-meta">
      {date ? (
        <Control part="due" label={`Due date of ${item}: `} {...rest}>
          <Day day={date.value} text={date.text} due={due} />
        </Control>
      ) : null}
      {person === undefined ? null : (
        <Control part="assignee" label={`Assignee of ${item}: `} {...rest}>
          <Who accountId={person} />
        </Control>
      )}
    </span>
  );
}

interface ControlProps extends Pick<Props, 'editable' | 'tab' | 'opened'> {
  part: Part;
  label: string;
  children: ReactNode;
}

const Control = ({ part, label, editable, tab, opened, children }: ControlProps) =>
  editable ? (
    <button
      type="button"
      className="check-meta-control"
      tabIndex={tab}
      aria-haspopup="dialog"
      aria-expanded={opened.part === part}
      onClick={() => opened.open(part)}
    >
      <span className="check-hidden">{label}</span>
      {children}
    </button>
  ) : (
    <span className="check-meta-control">
      <span className="check-hidden">{label}</span>
      {children}
    </span>
  );

function Who({ accountId }: { accountId: string }) {
  const person = usePerson(accountId);
  const me = useUser();
  const known = accountId === me.id ? me.name : undefined;
  const name = person === null ? unknownPerson : (person?.name ?? known ?? '…');
  return (
    <span className="check-who" title={name}>
      <Avatar picture={person?.avatar} name={person === null ? '?' : (person?.name ?? known)} />
      <span className="check-who-name">{name}</span>
    </span>
  );
}
