import { type MouseEvent, type ReactNode, Suspense } from 'react';
import { unknownPerson } from '../../../domain/person.ts';
import type { Row } from '../../../text/types.ts';
import { Avatar } from '../../kit/avatar.tsx';
import { lazyComponent } from '../../kit/lazy/lazy-component.tsx';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import { usePerson } from '../../model/people.ts';
import type { Line, Tail } from '../../model/rows/row-segments.ts';
import { useUser } from '../../shell/services/services.ts';
import { Day } from '../inline/inline.tsx';
import { DetailLines } from './row-parts.tsx';
import type { OpenPart, Part } from './use-open-part.ts';
import './row.css';

interface RowMetaProps {
  tail: Tail;
  /** The item's name, for the controls' accessible names. */
  item: string;
  /** ISO due date, if the item is not completed. */
  due: string | undefined;
  editable: boolean;
  tab?: 0 | -1;
  /** Needed where they are editable. */
  opened?: OpenPart;
}

/** An item's assignee and due date, beside its text, or below it if narrow. */
export function Meta({ tail: { person, date }, item, due, ...rest }: RowMetaProps) {
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

interface ControlProps extends Pick<RowMetaProps, 'editable' | 'tab' | 'opened'> {
  part: Part;
  label: string;
  children: ReactNode;
}

const Control = ({ part, label, editable, tab, opened, children }: ControlProps) =>
  editable && opened ? (
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

const Edit = lazyComponent(async () => ({ default: (await import('./row-layers.tsx')).Edit }));

interface Props {
  row: Row;
  line: Line;
  actions: RowActions;
  canEdit: boolean;
  opened: OpenPart;
}

/** A row's text or its editor. The text stays in the document: the controls' accessible names refer to it. */
export function RowText({ row, actions, canEdit, opened, children }: Omit<Props, 'line'> & { children: ReactNode }) {
  const double = ({ target }: MouseEvent) => {
    if (canEdit && !(target instanceof Element && target.closest('a'))) opened.open('text');
  };
  const editing = opened.part === 'text';
  return (
    <>
      {editing ? (
        <Suspense fallback={<span className="check-text">{row.text}</span>}>
          <Edit row={row} actions={actions} opened={opened} part="text" />
        </Suspense>
      ) : null}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the menu and F2 are equivalents. */}
      <div hidden={editing} onDoubleClick={double}>
        {children}
      </div>
    </>
  );
}

/** A row's details, collapsed by default. */
export function Details({ row, line, actions, opened }: Props) {
  const lines = line.details;
  if (opened.part === 'details')
    return (
      <Suspense fallback={null}>
        <Edit row={row} actions={actions} opened={opened} part="details" />
      </Suspense>
    );
  if (lines.length === 0) return null;
  return (
    <details className="check-details">
      <summary>{lines.length === 1 ? '1 detail' : `${lines.length} details`}</summary>
      <DetailLines details={lines} />
    </details>
  );
}
