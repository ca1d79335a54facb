import AddIcon from '@atlaskit/icon/core/add';
import DetailsIcon from '@atlaskit/icon/core/align-text-left';
import MoveIcon from '@atlaskit/icon/core/arrow-right';
import CalendarIcon from '@atlaskit/icon/core/calendar';
import StatusIcon from '@atlaskit/icon/core/check-circle';
import ClearIcon from '@atlaskit/icon/core/cross';
import DeleteIcon from '@atlaskit/icon/core/delete';
import EditIcon from '@atlaskit/icon/core/edit';
import PersonIcon from '@atlaskit/icon/core/person-add';
import { createEnforcementStore } from '../../../client/enforcement/store.ts';
import { issuePath } from '../../../domain/pages.ts';
import type { User } from '../../../domain/user.ts';
import { hintOf } from '../../../editor/commands/keys.ts';
import type { CheckboxRow, Checklist, Row } from '../../../text/types.ts';
import { type Command, commandsFor, type OfferedCommand } from '../../commands/command.ts';
import { copyText } from '../../kit/copy-and-download.ts';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import { noSelection } from '../../model/rows/row-keys.ts';
import { notifierOf, type Services } from '../../shell/services/services.ts';
import { type ListContext, moveRow, stepRows } from '../list/list-moves.ts';
import type { RowPermissions } from './row-parts.tsx';
import type { Part } from './use-open-part.ts';

/** The rows that a command is for, and the context in which it runs. */
export interface RowTarget {
  /** The row whose menu, key or palette runs the command; one of `rows`. */
  row: Row;
  /** The row alone, or all selected rows in text order. */
  rows: readonly Row[];
  may: RowPermissions;
  user: Pick<User, 'id' | 'isAnonymous'>;
  actions: RowActions;
  services: Services;
  /** The list around the row; missing on screens that show single rows. */
  list?: ListContext | undefined;
  /** The tracker's address, once it is loaded. */
  site?: string;
  /** Opens a popup or a field for the rows. */
  open(part: Part): void;
  /** Set for the selection's toolbar. */
  selection?: { copy(notation: 'text' | 'github'): void; release(): void };
}

const itemsOf = ({ rows }: RowTarget): CheckboxRow[] => rows.filter(row => row.kind === 'checkbox');
const isMandatory = ({ row }: RowTarget) => row.kind === 'checkbox' && row.mandatory;

const isForCustomers = ({ row }: RowTarget) => row.kind === 'header' && row.customers;

/** Whether customers can see the issue, as far as that is known. */
const hasPortal = ({ services, actions }: RowTarget) =>
  services.once(createEnforcementStore).get().get(actions.issueId)?.hasPortal !== false;

const hasSections = (checklist: Checklist | undefined) =>
  checklist?.rows.some(({ kind }) => kind === 'header') === true;

const canEdit = ({ may }: RowTarget) => may.canEdit;
const canChangeStatus = ({ may }: RowTarget) => may.canChangeStatus;
const isFolded = ({ list, row }: RowTarget) => list?.visible.folded.has(list.checklist.rows.indexOf(row)) === true;
const fold = ({ list, row }: RowTarget, closed: boolean) =>
  list?.onFold(list.checklist, list.checklist.rows.indexOf(row), closed);

/** Whether a command's kind of row is among the rows of a target. */
const applies: Record<Command<RowTarget>['appliesTo'], (target: RowTarget) => boolean> = {
  item: ({ row, rows }) => row.kind === 'checkbox' || rows.some(({ kind }) => kind === 'checkbox'),
  section: ({ row }) => row.kind === 'header',
  row: () => true,
  selection: ({ selection }) => selection !== undefined,
  list: ({ list }) => list !== undefined,
  checklist: () => true,
};

/** Sets the items to mandatory or optional that are not so yet. */
function setMandatory(target: RowTarget, mandatory: boolean): void {
  const changedItems = itemsOf(target).filter(row => row.mandatory !== mandatory);
  if (changedItems.length > 0) target.actions.setMandatory(changedItems, mandatory);
}

async function copyLink({ services, site = '' }: RowTarget): Promise<void> {
  const { bridge, host } = services;
  const path = issuePath(host.issueKey ?? '');
  // During the click, if the address is known: later some browsers do not permit it.
  const done = await (site === '' ? bridge.hostUrl(path).then(copyText, () => false) : copyText(site + path));
  notifierOf(bridge)(done ? 'Link copied.' : "We couldn't copy the link.", done ? 'success' : 'error');
}

const command = commandsFor<RowTarget>();

/** A command that opens a popup or a field of the row. */
const opens = (
  part: Part,
  title: string,
  appliesTo: Command<RowTarget>['appliesTo'],
  key: string,
  group: string,
  rest: Partial<Command<RowTarget>> = {},
) =>
  command(part, title, appliesTo, { keys: [key], group, isOffered: canEdit, ...rest, run: ({ open }) => open(part) });

const copies = (notation: 'text' | 'github', title: string) =>
  command(`copy-${notation}`, title, 'selection', {
    group: 'copy',
    isOffered: () => true,
    run: ({ selection }) => selection?.copy(notation),
  });

const moves = (id: string, title: string, rest: Pick<Command<RowTarget>, 'keys' | 'label' | 'run'>) =>
  command(id, title, 'row', { group: 'move', isOffered: ({ may }) => may.canMove, ...rest });

const table: readonly Command<RowTarget>[] = [
  command('toggle', 'Tick or untick', 'item', {
    keys: ['Space'],
    isOffered: canChangeStatus,
    run: ({ row, actions }) => row.kind === 'checkbox' && actions.toggle(row),
  }),
  opens('text', 'Edit text', 'row', 'E', 'text', { label: () => 'Edit', icon: EditIcon, keys: ['E', 'Enter', 'F2'] }),
  opens('details', 'Edit details', 'row', '>', 'text', {
    label: ({ row }) => (row.details.length > 0 ? 'Edit details' : 'Add details'),
    icon: DetailsIcon,
    event: () => 'Add details clicked',
  }),
  opens('status', 'Set status…', 'item', 'S', 'values', {
    icon: StatusIcon,
    popup: 'menu',
    isOffered: canChangeStatus,
  }),
  opens('assignee', 'Assign…', 'item', 'A', 'values', { icon: PersonIcon, popup: 'dialog' }),
  command('assignToMe', 'Assign to me', 'item', {
    keys: ['I'],
    group: 'values',
    isOffered: target => canEdit(target) && !target.user.isAnonymous,
    run: target => {
      const { actions, user } = target;
      const items = itemsOf(target).filter(({ assignee }) => assignee !== user.id);
      if (items.length > 0) actions.assign(items, user.id);
    },
    event: () => 'Assignee selected in checklist',
  }),
  opens('due', 'Due date…', 'item', 'D', 'values', { icon: CalendarIcon, popup: 'dialog' }),
  command('mandatory', 'Make mandatory or optional', 'item', {
    label: target => (isMandatory(target) ? 'Make optional' : 'Make mandatory'),
    keys: ['!'],
    group: 'values',
    isOffered: canEdit,
    run: target => setMandatory(target, !isMandatory(target)),
    event: target => (isMandatory(target) ? undefined : 'Item made mandatory from issue view'),
  }),
  command('optional', 'Make optional', 'selection', {
    group: 'values',
    // Beside "Make mandatory", if the selection has both kinds.
    isOffered: target => canEdit(target) && !isMandatory(target) && itemsOf(target).some(row => row.mandatory),
    run: target => setMandatory(target, false),
  }),
  opens('gates', 'Gate before a status…', 'section', 'G', 'section'),
  command('customers', 'Show to customers, or hide from them', 'section', {
    label: target => (isForCustomers(target) ? 'Hide from customers' : 'Show to customers'),
    group: 'section',
    isOffered: target => canEdit(target) && (isForCustomers(target) || hasPortal(target)),
    run: ({ row, actions }) =>
      row.kind === 'header' &&
      actions.setSection(
        row,
        { customers: !row.customers },
        row.customers ? 'Hidden from customers' : 'Shown to customers',
      ),
  }),
  moves('moveUp', 'Move item or section up', {
    label: () => 'Move up',
    keys: ['Alt-ArrowUp'],
    run: ({ list, rows }) => list && stepRows(list, rows, true),
  }),
  moves('moveDown', 'Move item or section down', {
    label: () => 'Move down',
    keys: ['Alt-ArrowDown'],
    run: ({ list, rows }) => list && stepRows(list, rows, false),
  }),
  moves('moveToTop', 'Move to top', { run: ({ list, row }) => moveRow(list, row, 0) }),
  moves('moveToBottom', 'Move to bottom', { run: ({ list, row }) => moveRow(list, row, list?.keys.length ?? 0) }),
  opens('section', 'Move to section…', 'item', 'M', 'move', {
    icon: MoveIcon,
    popup: 'menu',
    isOffered: ({ may, actions }) => may.canMove && hasSections(actions.latest()),
  }),
  copies('text', 'Copy as text'),
  copies('github', 'Copy as Markdown'),
  opens('convert', 'Convert to issue…', 'item', 'C', 'convert', {
    label: target => (itemsOf(target).length > 1 ? 'Convert to issues…' : 'Convert to issue…'),
  }),
  command('add', 'Add an item below, or in the section', 'row', {
    label: ({ row }) => (row.kind === 'header' ? 'Add item in section' : 'Add item below'),
    icon: AddIcon,
    keys: ['N'],
    group: 'other',
    isOffered: ({ may }) => may.canAdd,
    run: ({ list, row }) => list?.openAdd(list.checklist.rows.indexOf(row)),
  }),
  command('copyLink', 'Copy link', 'row', {
    group: 'other',
    isOffered: ({ services }) => services.host.issueKey !== undefined,
    run: target => void copyLink(target),
  }),
  command('delete', 'Delete the item or the selected items', 'row', {
    label: () => 'Delete',
    icon: DeleteIcon,
    keys: ['Delete', 'Backspace'],
    group: 'other',
    isOffered: ({ may }) => may.canDelete,
    run: ({ actions, rows, selection }) => {
      actions.removeAll(rows);
      selection?.release();
    },
  }),
  command('fold', 'Collapse section', 'section', {
    keys: ['ArrowLeft'],
    isOffered: target => target.list !== undefined && !isFolded(target),
    run: target => fold(target, true),
  }),
  command('unfold', 'Expand section', 'section', {
    keys: ['ArrowRight'],
    isOffered: isFolded,
    run: target => fold(target, false),
  }),
  command('selectAll', 'Select all items', 'list', {
    keys: ['Mod-A'],
    isOffered: () => true,
    run: ({ list, row }) => {
      if (!list) return;
      const { keys, visible, checklist, onSelect } = list;
      const anchor = keys[checklist.rows.indexOf(row)];
      onSelect({ keys: new Set(visible.shown.flatMap(index => keys[index] ?? [])), anchor });
    },
  }),
  command('clearSelection', 'Clear selection', 'row', {
    icon: ClearIcon,
    keys: ['Escape'],
    isOffered: ({ list, selection }) => selection !== undefined || (list?.selection.keys.size ?? 0) > 0,
    run: ({ list, selection }) => (selection ? selection.release() : list?.onSelect(noSelection)),
  }),
];

/** The commands for rows, in the order of the row's menu and of the palette. */
export const rowCommands: readonly Command<RowTarget>[] = table.map(command => ({
  ...command,
  isOffered: target => applies[command.appliesTo](target) && command.isOffered(target),
}));

/** A command's name and key as the hint at its button: `Set status (S)`. */
export const buttonHint = ({ label, keys }: OfferedCommand): string =>
  hintOf({ title: label.replace('…', ''), ...(keys && { keys }) });
