import { type ComponentProps, type MouseEvent, type ReactNode, Suspense, useState } from 'react';
import { unknownPerson } from '../../../domain/person.ts';
import type { CheckboxRow, Row } from '../../../text/types.ts';
import { HeldField } from '../../kit/held-field.tsx';
import { lazyComponent } from '../../kit/lazy-component.tsx';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import { Avatar, usePerson } from '../../model/people.tsx';
import type { Line } from '../../model/rows/row-segments.ts';
import { useUser } from '../../shell/services/services.ts';
import { Day } from '../inline/inline.tsx';
import { DetailLines, detailsOf, isPictured, openDueDate, type RowProps, statusClass, unnamed } from './row-parts.tsx';
import type { OpenPart, Part } from './use-open-part.ts';
import './row.css';
import './status.css';
import '../field.css';

interface MetaProps extends Pick<RowProps<CheckboxRow>, 'row' | 'line' | 'canEdit' | 'canChangeStatus'> {
  tab?: 0 | -1;
  /** The item's name, for the controls' accessible names. */
  name: string;
  /** Needed if something can be changed. */
  opened?: OpenPart;
}

/** An item's due date, its assignee, and its status if the checkbox does not tell it: beside the text, or below it. */
export function Meta({ row, line: { tail }, name, canEdit, canChangeStatus, ...rest }: MetaProps) {
  const { status } = row;
  const { person, date } = tail;
  const pictured = isPictured(status);
  if (person === undefined && date === undefined && pictured) return null;
  return (
    <span className="check-meta">
      {pictured ? null : (
        <Control part="status" label={`Status of ${name}: `} editable={canChangeStatus} {...rest}>
          <span className={statusClass(status)}>{status.name}</span>
        </Control>
      )}
      {date ? (
        <Control part="due" label={`Due date of ${name}: `} editable={canEdit} {...rest}>
          <Day day={date.value} text={date.text} due={openDueDate(row)} />
        </Control>
      ) : null}
      {person === undefined ? null : (
        <Control part="assignee" label={`Assignee of ${name}: `} editable={canEdit} {...rest}>
          <Who accountId={person} />
        </Control>
      )}
    </span>
  );
}

interface ControlProps extends Pick<MetaProps, 'tab' | 'opened'> {
  part: Part;
  label: string;
  editable: boolean;
  children: ReactNode;
}

const Control = ({ part, label, editable, tab, opened, children }: ControlProps) =>
  editable && opened ? (
    <button
      type="button"
      className="check-meta-control"
      tabIndex={tab}
      aria-haspopup={part === 'status' ? 'menu' : 'dialog'}
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
  const ownName = accountId === me.id ? me.name : undefined;
  const name = person === null ? unknownPerson : (person?.name ?? ownName ?? '…');
  return (
    <span className="check-who" title={name}>
      <Avatar picture={person?.avatar} name={person === null ? '?' : (person?.name ?? ownName)} />
      <span className="check-who-name">{name}</span>
    </span>
  );
}

const Edit = lazyComponent(() => import('./edit.tsx'));

/** A row's field, or a plain one until it is loaded. */
const OpenField = ({ row, opened, part, actions }: ComponentProps<typeof Edit>) => (
  <>
    {opened.isHeld ? (
      <HeldField
        text={part === 'text' ? row.words : detailsOf(row)}
        label={`Edit ${part}`}
        className="check-held"
        lines={part === 'details'}
        onEscape={() => opened.close(part, true)}
      />
    ) : null}
    <Suspense>
      <Edit row={row} actions={actions} opened={opened} part={part} />
    </Suspense>
  </>
);

interface Props {
  row: Row;
  line: Line;
  actions: RowActions;
  canEdit: boolean;
  opened: OpenPart;
}

/** Whether a click is for its text: it did not select rows or text, nor open a link. */
const isPlain = ({ target, defaultPrevented }: MouseEvent): boolean =>
  !defaultPrevented && !(target instanceof Element && target.closest('a')) && getSelection()?.isCollapsed !== false;

/** A row's text or its editor. The text stays in the document: the controls' accessible names refer to it. */
export function RowText({ row, actions, canEdit, opened, children }: Omit<Props, 'line'> & { children: ReactNode }) {
  const editing = opened.part === 'text';
  return (
    <>
      {editing ? <OpenField row={row} actions={actions} opened={opened} part="text" /> : null}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter, the menu and a button are equivalents. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above. */}
      <div
        className={canEdit ? 'check-editable' : undefined}
        hidden={editing}
        onClick={event => canEdit && isPlain(event) && opened.open('text')}
      >
        {children}
      </div>
    </>
  );
}

/** A single line of details with more characters counts as long. */
const MAX_SHORT_CHARS = 48;

interface DetailsProps extends Props {
  tab: 0 | -1;
}

/** A row's details: their first line in grey, and all of them on demand. */
export function Details({ row, line: { details, name }, actions, canEdit, opened, tab }: DetailsProps) {
  const [whole, setWhole] = useState(false);
  if (opened.part === 'details') return <OpenField row={row} actions={actions} opened={opened} part="details" />;
  const [first] = row.details;
  if (!first) return null;
  const isLong = details.length > 1 || first.text.length > MAX_SHORT_CHARS;
  return (
    <div className={whole ? 'check-details check-details-whole' : 'check-details'}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a key, the menu and a button are equivalents. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above. */}
      <div
        className={`check-details-lines ${canEdit ? 'check-editable' : ''}`}
        onClick={event => canEdit && isPlain(event) && opened.open('details')}
      >
        <DetailLines details={details} />
      </div>
      {isLong ? (
        <button
          type="button"
          className="check-details-toggle"
          tabIndex={tab}
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
        >
          {whole ? 'Show less' : 'Show more'} <span className="check-hidden">of {name || unnamed}</span>
        </button>
      ) : null}
    </div>
  );
}
