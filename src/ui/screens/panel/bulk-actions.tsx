import MoreIcon from '@atlaskit/icon/core/show-more-horizontal';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { whole } from '../../../domain/messages.ts';
import type { User } from '../../../domain/user.ts';
import type { Checklist, Row } from '../../../text/types.ts';
import { popupFields } from '../../checklist/row/row-buttons.tsx';
import { type RowTarget, rowCommands } from '../../checklist/row/row-commands.ts';
import { rowPermissions } from '../../checklist/row/row-parts.tsx';
import { type OfferedCommand, type Offers, offeredCommands, useOffers } from '../../commands/command.ts';
import { requiredComponent } from '../../kit/content-state.tsx';
import { withEarlyText } from '../../kit/early-text.tsx';
import { isTyping } from '../../kit/typing.ts';
import type { Actions } from '../../model/checklist/use-actions.ts';
import { useKnownNames } from '../../model/people.tsx';
import { trackerOf, useNotify, useServices } from '../../shell/services/services.ts';

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

/** The commands with a button, in its order, and those of the menu beside them. */
const buttons: readonly string[] = ['status', 'assignee', 'due', 'section', 'delete', 'more', 'clearSelection'];
const inMenu: readonly string[] = ['mandatory', 'optional', 'copy-text', 'copy-github', 'convert'];
/** The buttons without a visible name. */
const isIcon = (id: string) => buttons.indexOf(id) >= buttons.indexOf('delete');

/** The toolbar of commands for the selected rows, each one change. The selection stays for the next command. */
export function Bulk({ checklist, rows, user, actions, offers, onDone }: Props) {
  const notify = useNotify();
  const names = useKnownNames();
  const services = useServices();
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
  const openers = useRef(new Map<string, HTMLButtonElement | null>());
  const items = rows.filter(row => row.kind === 'checkbox');
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

  const target = (): RowTarget | undefined => {
    // The first item that is not mandatory yet: the menu then offers to make it so.
    const row = items.find(({ mandatory }) => !mandatory) ?? items[0] ?? rows[0];
    return (
      row && {
        ...{ row, rows, user, actions, services, may: rowPermissions(user, checklist.rows.length) },
        open: part => {
          // The popup returns the focus to its button.
          openers.current.get(part)?.focus();
          setOpen(now => (now === part ? undefined : (part as BulkPart)));
        },
        selection: {
          copy: notation => void layers.current?.copyRows({ checklist, rows, names: names() }, notation, notify),
          release: onDone,
        },
      }
    );
  };
  const commands = offeredCommands(rowCommands, target, trackerOf(services));
  const more: OfferedCommand = {
    id: 'more',
    label: 'More actions',
    icon: MoreIcon,
    popup: 'menu',
    run: () => setOpen(open === 'more' ? undefined : 'more'),
  };
  const tools = [...commands, more]
    .filter(({ id }) => buttons.includes(id))
    .sort((a, b) => buttons.indexOf(a.id) - buttons.indexOf(b.id));
  useOffers(offers, 'selection', () =>
    tools.flatMap(({ id, label, run }) =>
      isIcon(id) ? [] : [{ id: `selection ${id}`, label: `Selected items: ${label.toLowerCase()}`, run }],
    ),
  );
  return (
    <div className="check-bulk" role="toolbar" aria-label="Selected items">
      <span role="status" className="check-bulk-count">
        {rows.length} selected
      </span>
      {tools.map(({ id, label, icon: Icon, popup, run }) => {
        const name = label.replace('…', '');
        return (
          <span key={id} className="check-status-control">
            <button
              ref={button => void openers.current.set(id, button)}
              type="button"
              className="check-tool"
              aria-label={name}
              title={name}
              aria-haspopup={popup}
              aria-expanded={popup && open === id}
              onClick={run}
            >
              {Icon ? <Icon label="" /> : null}
              {isIcon(id) ? null : <span className="check-tool-label">{name}</span>}
            </button>
            {open !== undefined && (open === id || (open === 'convert' && id === 'more')) ? (
              <Layer
                part={open}
                checklist={checklist}
                items={items}
                actions={actions}
                menu={commands.filter(command => inMenu.includes(command.id))}
                onClose={withFocus => {
                  // A command of the menu may have opened the next popup.
                  setOpen(now => (now === open ? undefined : now));
                  if (withFocus) openers.current.get(id)?.focus();
                }}
              />
            ) : null}
          </span>
        );
      })}
    </div>
  );
}
