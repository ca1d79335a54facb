import MoveIcon from '@atlaskit/icon/core/arrow-right';
import CalendarIcon from '@atlaskit/icon/core/calendar';
import StatusIcon from '@atlaskit/icon/core/check-circle';
import ClearIcon from '@atlaskit/icon/core/cross';
import DeleteIcon from '@atlaskit/icon/core/delete';
import AssignIcon from '@atlaskit/icon/core/person-add';
import MoreIcon from '@atlaskit/icon/core/show-more-horizontal';
import { type ComponentType, type RefObject, useEffect, useRef, useState } from 'react';
import { whole } from '../../../domain/messages.ts';
import type { User } from '../../../domain/user.ts';
import type { Checklist, Row } from '../../../text/types.ts';
import { popupFields } from '../../checklist/row/row-buttons.tsx';
import { requiredComponent } from '../../kit/content-state.tsx';
import { withEarlyText } from '../../kit/early-text.tsx';
import { isTyping } from '../../kit/typing.ts';
import type { Actions } from '../../model/checklist/use-actions.ts';
import { useKnownNames } from '../../model/people.tsx';
import { useNotify } from '../../shell/services/services.ts';
import { type Offers, useOffers } from './checklist-actions/commands.ts';

type Layers = typeof import('./checklist-actions/bulk-layers.tsx');
const loadLayers = (): Promise<Layers> => import('./checklist-actions/bulk-layers.tsx');
const Layer = withEarlyText(requiredComponent('menu', loadLayers), ({ part }) => popupFields[part]);

/** The toolbar's menus and popups, of which one can be open. */
export type BulkPart = 'status' | 'assignee' | 'due' | 'section' | 'more' | 'convert';

interface Props {
  checklist: Checklist;
  rows: readonly Row[];
  user: User;
  actions: Actions;
  offers: RefObject<Offers>;
  /** Ends the selection. */
  onDone(): void;
}

interface Tool {
  part: BulkPart;
  label: string;
  Icon: ComponentType<{ label: string }>;
  popup: 'menu' | 'dialog';
}

/** The toolbar of commands for the selected rows, each one change. The selection stays for the next command. */
export function Bulk({ checklist, rows, user, actions, offers, onDone }: Props) {
  const notify = useNotify();
  const names = useKnownNames();
  const [open, setOpen] = useState<BulkPart | undefined>(undefined);
  const layers = useRef<Layers>(undefined);
  useEffect(() => {
    // Preload: some browsers permit copying only during the key's event.
    loadLayers().then(
      loaded => {
        layers.current = loaded;
      },
      () => undefined,
    );
  }, []);
  const openers = useRef(new Map<BulkPart, HTMLButtonElement | null>());
  const items = rows.filter(row => row.kind === 'checkbox');
  const hasHeaders = checklist.rows.some(({ kind }) => kind === 'header');
  useEffect(() => {
    const copy = (event: ClipboardEvent) => {
      // Selected text and inputs have their own.
      if (isTyping(event.target) || getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      const copied = { checklist, rows, names: names() };
      const { current: loaded } = layers;
      if (loaded && event.clipboardData) {
        event.clipboardData.setData('text/plain', loaded.textOfRows(copied, 'github'));
        notify(whole.rowsCopied(rows.length));
      } else
        void loadLayers()
          .then(({ copyRows }) => copyRows(copied, 'github', notify))
          .catch(() => undefined);
    };
    document.addEventListener('copy', copy);
    return () => document.removeEventListener('copy', copy);
  }, [checklist, rows, names, notify]);

  const edits: Tool[] = [
    { part: 'assignee', label: 'Assign', Icon: AssignIcon, popup: 'dialog' },
    { part: 'due', label: 'Due date', Icon: CalendarIcon, popup: 'dialog' },
    ...(hasHeaders ? [{ part: 'section', label: 'Move to section', Icon: MoveIcon, popup: 'menu' } as const] : []),
  ];
  const tools: Tool[] = [
    ...(user.canChangeItemStatuses && items.length > 0
      ? [{ part: 'status', label: 'Set status', Icon: StatusIcon, popup: 'menu' } as const]
      : []),
    ...(user.canEditChecklist && items.length > 0 ? edits : []),
  ];
  useOffers(offers, 'selection', () =>
    tools.map(({ part, label }) => ({
      label: `Selected rows: ${label.toLowerCase()}…`,
      run: () => {
        // The popup returns the focus to its button.
        openers.current.get(part)?.focus();
        setOpen(part);
      },
    })),
  );
  const more: Tool = { part: 'more', label: 'More actions', Icon: MoreIcon, popup: 'menu' };
  const tool = ({ part, label, Icon, popup }: Tool) => (
    <span key={part} className="check-status-control">
      <button
        ref={button => void openers.current.set(part, button)}
        type="button"
        className="check-tool"
        aria-label={label}
        title={label}
        aria-haspopup={popup}
        aria-expanded={open === part}
        onClick={() => setOpen(open === part ? undefined : part)}
      >
        <Icon label="" />
        {part === 'more' ? null : <span className="check-tool-label">{label}</span>}
      </button>
      {open === part || (open === 'convert' && part === 'more') ? (
        <Layer
          part={open}
          checklist={checklist}
          rows={rows}
          items={items}
          user={user}
          actions={actions}
          onOpen={setOpen}
          onClose={withFocus => {
            // A command of the menu may have opened the next popup.
            setOpen(now => (now === open ? undefined : now));
            if (withFocus) openers.current.get(part)?.focus();
          }}
        />
      ) : null}
    </span>
  );
  const command = (label: string, Icon: Tool['Icon'], run: () => void) => (
    <button type="button" className="check-tool" aria-label={label} title={label} onClick={run}>
      <Icon label="" />
    </button>
  );
  return (
    <div className="check-bulk" role="toolbar" aria-label="Selected items">
      <span role="status" className="check-bulk-count">
        {rows.length} selected
      </span>
      {tools.map(tool)}
      {user.canDeleteChecklistItems
        ? command('Delete', DeleteIcon, () => {
            actions.removeAll(rows);
            onDone();
          })
        : null}
      {tool(more)}
      {command('Clear selection', ClearIcon, onDone)}
    </div>
  );
}
