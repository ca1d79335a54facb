import AddIcon from '@atlaskit/icon/core/add';
import DetailsIcon from '@atlaskit/icon/core/align-text-left';
import CalendarIcon from '@atlaskit/icon/core/calendar';
import CheckIcon from '@atlaskit/icon/core/check-mark';
import DeleteIcon from '@atlaskit/icon/core/delete';
import EditIcon from '@atlaskit/icon/core/edit';
import PersonIcon from '@atlaskit/icon/core/person';
import ShowMoreIcon from '@atlaskit/icon/core/show-more-horizontal';
import { type ReactNode, Suspense } from 'react';
import { chips, gates as words } from '../../../domain/messages.ts';
import type { HeaderRow } from '../../../text/types.ts';
import { EarlyText } from '../../kit/early-text.tsx';
import { lazyComponent } from '../../kit/lazy-component.tsx';
import { isPictured, type RowProps, StatusIcon } from './row-parts.tsx';
import { keysOfPart, type OpenPart, type Part } from './use-open-part.ts';

const load = () => import('./row-layers.tsx');
const Layers = lazyComponent(load);

/** The fields of popups, which have the keys while they are loading. */
export const popupFields: Partial<Record<string, string>> = {
  assignee: 'Find a person',
  due: 'Date',
  convert: 'Project',
};

const prepare = () => void load().catch(() => undefined);

export interface ButtonsProps extends RowProps {
  /** How many of a section's items are open. */
  open?: number;
  /** The row's name. */
  name: string;
  opened: OpenPart;
}

/**
 * A row's menu button, and the buttons of its frequent commands while the row is hovered or has the focus: a long list
 * has no room in the document for all. Its menus are preloaded on hover and focus.
 */
export default function Buttons(props: ButtonsProps) {
  const { row, opened, name, tab, open = 0 } = props;
  const { part } = opened;
  const field = part && popupFields[part];
  return (
    <>
      {row.kind === 'header' && row.marks.length > 0 ? (
        <SectionMarks row={row} name={name} open={open} tab={tab} opened={opened} />
      ) : null}
      {opened.hovered || part !== undefined || tab === 0 ? <Frequent {...props} /> : null}
      <span className="check-status-control check-menu">
        <button
          type="button"
          className="check-more"
          tabIndex={tab}
          aria-haspopup="menu"
          aria-expanded={part === 'menu'}
          aria-label={`More actions for ${name}`}
          title="More actions (Shift+F10)"
          onPointerEnter={prepare}
          onFocus={prepare}
          onClick={() => (part === 'menu' ? opened.close('menu', true) : opened.open('menu'))}
        >
          <ShowMoreIcon label="" />
        </button>
        {part === undefined || part === 'text' || part === 'details' ? null : (
          <Suspense fallback={field ? <EarlyText label={field} onEscape={() => opened.close(part, true)} /> : null}>
            <Layers {...props} part={part} />
          </Suspense>
        )}
      </span>
    </>
  );
}

/** The buttons of a row's frequent commands. */
function Frequent(props: ButtonsProps) {
  const { row, line, name, opened, actions, tools, tab, canChangeStatus, canEdit, canAdd, canDelete } = props;
  const button = (label: string, hint: string, icon: ReactNode, onClick: () => void, part?: Part) => (
    <button
      type="button"
      className={`check-frequent check-frequent-${part}`}
      tabIndex={tab}
      aria-haspopup={part === 'status' ? 'menu' : part === 'assignee' || part === 'due' ? 'dialog' : undefined}
      aria-label={label}
      title={hint}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={onClick}
    >
      {icon}
    </button>
  );
  const opener = (part: Part, label: string, hint: string, icon: ReactNode) =>
    button(label, `${hint} (${keysOfPart(part)[0]})`, icon, () => opened.open(part), part);
  const item = row.kind === 'checkbox' ? row : undefined;
  return (
    <span className="check-frequents">
      {item && canChangeStatus && isPictured(item.status)
        ? opener('status', `Status of ${name}: ${item.status.name}`, 'Set status', <StatusIcon status={item.status} />)
        : null}
      {item && canEdit ? (
        <>
          {line.tail.person === undefined
            ? opener('assignee', `Assign ${name}`, 'Assign', <PersonIcon label="" />)
            : null}
          {line.tail.date === undefined
            ? opener('due', `Set due date of ${name}`, 'Set due date', <CalendarIcon label="" />)
            : null}
        </>
      ) : null}
      {canEdit ? (
        <>
          {opener(
            'details',
            `${row.details.length > 0 ? 'Edit' : 'Add'} details of ${name}`,
            `${row.details.length > 0 ? 'Edit' : 'Add'} details`,
            <DetailsIcon label="" />,
          )}
          {opener('text', `Edit ${name}`, 'Edit', <EditIcon label="" />)}
        </>
      ) : null}
      {canAdd
        ? button(
            `Add an item ${item ? 'below' : 'in section'} ${row.words}`.trim(),
            `Add item ${item ? 'below' : 'in section'} (N)`,
            <AddIcon label="" />,
            () => tools.addBelow(row),
          )
        : null}
      {canDelete
        ? button(`Delete ${name}`, 'Delete (Delete)', <DeleteIcon label="" />, () => actions.remove(row))
        : null}
    </span>
  );
}

interface SectionMarksProps {
  row: HeaderRow;
  name: string;
  /** How many of the section's items are open. */
  open: number;
  tab: 0 | -1;
  opened: OpenPart;
}

/** A section's gates with what is open, and whether customers see it. */
function SectionMarks({ row: { gates, customers }, name, open, tab, opened }: SectionMarksProps) {
  const before = words.before(gates);
  return (
    <span className="check-meta check-marks">
      {gates.length === 0 ? null : open > 0 ? (
        <button
          type="button"
          className="check-mark check-mark-open"
          tabIndex={tab}
          aria-label={`${name}: ${before}: ${words.open(open)}`}
          aria-haspopup="dialog"
          aria-expanded={opened.part === 'openItems'}
          title={before}
          onClick={() => (opened.part === 'openItems' ? opened.close('openItems', true) : opened.open('openItems'))}
        >
          <span className="check-mark-name">{before}</span>: {words.open(open)}
        </button>
      ) : (
        <span className="check-mark check-mark-complete" title={before}>
          <CheckIcon label="" size="small" />
          <span className="check-mark-name">{before}</span>
          <span className="check-hidden">: {words.complete}</span>
        </span>
      )}
      {customers ? <span className="check-mark">{chips.customers}</span> : null}
    </span>
  );
}
