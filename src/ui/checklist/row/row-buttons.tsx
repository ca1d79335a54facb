import CheckIcon from '@atlaskit/icon/core/check-mark';
import ShowMoreIcon from '@atlaskit/icon/core/show-more-horizontal';
import { Suspense } from 'react';
import { chips, gates as words } from '../../../domain/messages.ts';
import type { HeaderRow } from '../../../text/types.ts';
import { type OfferedCommand, offeredCommands } from '../../commands/command.ts';
import { EarlyText } from '../../kit/early-text.tsx';
import { lazyComponent } from '../../kit/lazy-component.tsx';
import { trackerOf, useServices, useUser } from '../../shell/services/services.ts';
import { buttonHint, type RowTarget, rowCommands } from './row-commands.ts';
import { isPictured, type RowProps, StatusIcon } from './row-parts.tsx';
import type { OpenPart } from './use-open-part.ts';

const load = () => import('./row-layers.tsx');
const Layers = lazyComponent(load);

/** The fields of popups, which have the keys while they are loading. */
export const popupFields: Partial<Record<string, string>> = {
  assignee: 'Find a person',
  due: 'Date',
  convert: 'Project',
};

const loadLayers = () => void load().catch(() => undefined);

export interface ButtonsProps extends RowProps {
  /** The number of open items in a section. */
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
  const services = useServices();
  const prepare = () =>
    void load().then(
      ({ prepareMenu }) => prepareMenu(services, row, props.actions.issueId),
      () => undefined,
    );
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

/** The commands that a row's own menu and buttons offer. */
export function useRowCommands(props: ButtonsProps): (site?: string) => OfferedCommand[] {
  const { row, opened, actions, list } = props;
  const services = useServices();
  const user = useUser();
  const { open } = opened;
  return site => {
    const target = (): RowTarget => ({
      ...{ row, rows: [row], may: props, user, actions, services, open, list: list.current },
      ...(site !== undefined && { site }),
    });
    return offeredCommands(rowCommands, target, trackerOf(services));
  };
}

/** The buttons of a row's frequent commands. */
function Frequent(props: ButtonsProps) {
  const { row, line, name, tab } = props;
  const { person, date } = line.tail;
  const isItem = row.kind === 'checkbox';
  const status = isItem && isPictured(row.status) ? row.status : undefined;
  /** The accessible names of the buttons that the row shows. */
  const names: Record<string, string | undefined> = {
    status: status && `Status of ${name}: ${status.name}`,
    assignee: person === undefined ? `Assign ${name}` : undefined,
    due: date === undefined ? `Set due date of ${name}` : undefined,
    details: `${row.details.length > 0 ? 'Edit' : 'Add'} details of ${name}`,
    text: `Edit ${name}`,
    add: `Add an item ${isItem ? 'below' : 'in section'} ${row.words}`.trim(),
    delete: `Delete ${name}`,
  };
  const commands = new Map(useRowCommands(props)().map(command => [command.id, command]));
  return (
    <span className="check-frequents">
      {Object.entries(names).map(([id, label]) => {
        const command = commands.get(id);
        if (!command || label === undefined) return null;
        const Icon = command.icon;
        return (
          <button
            key={id}
            type="button"
            className={`check-frequent check-frequent-${id}`}
            tabIndex={tab}
            aria-haspopup={command.popup}
            aria-label={label}
            title={buttonHint(command)}
            onPointerEnter={loadLayers}
            onFocus={loadLayers}
            onClick={command.run}
          >
            {id === 'status' && status ? <StatusIcon status={status} /> : Icon ? <Icon label="" /> : null}
          </button>
        );
      })}
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

/** A section's gates with the open items, and whether customers see the section. */
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
