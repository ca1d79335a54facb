import { type RefObject, useState } from 'react';
import { createPortal } from 'react-dom';
import { keyText } from '../../../editor/commands/keys.ts';
import { keyAt } from '../../checklist/list/list-dom.ts';
import { type ListContext, listCommands, targetOf } from '../../checklist/list/list-keys.ts';
import { PaletteList } from '../../kit/palette.tsx';
import { Popover } from '../../kit/popover.tsx';
import { type Command, type CommandContext, commandsOf, type Offers, PALETTE } from './commands.ts';

type List = RefObject<ListContext | undefined>;

/** Commands of the whole list, which the panel itself offers. */
const general = ['help', 'search'];

/** The row that commands are for: the one with the focus, else the first selected one. */
function rowOf(from: Element, { current: list }: List): number | undefined {
  const focused = keyAt(from);
  return focused ?? list?.keys.find(key => list.selection.keys.has(key));
}

/** The permitted commands of the list for a row; each is checked again when it runs. */
function rowCommands(list: List, row: number | undefined): Command[] {
  const now = () => list.current && targetOf(list.current, row);
  const target = now();
  if (!target) return [];
  return listCommands.flatMap(({ id, title, label = title, keys, enabled, run }) => {
    if (general.includes(id) || !enabled(target)) return [];
    const act = () => {
      const latest = now();
      if (latest && enabled(latest)) run(latest);
    };
    return [{ label, ...(keys?.[0] !== undefined && { key: keys[0] }), run: act }];
  });
}

interface Props {
  context: CommandContext;
  list: List;
  offers: RefObject<Offers>;
  onEdit(): Promise<void>;
  /** What had the focus. */
  from: HTMLElement;
  onClose(withFocus: boolean): void;
}

/**
 * Everything that the user may do with the focused row, the selected rows and the checklist, to search: below the row,
 * else below the menu's button. A popup for which the frame grows; a short frame has no room for a dialog above it.
 */
export default function PanelPalette({ context, list, offers, onEdit, from, onClose }: Props) {
  // As it was opened: entries do not move under the pointer.
  const [choices] = useState(() => {
    const { bar, selection, foot } = offers.current;
    const edit = { label: 'Open editor', run: () => void onEdit().catch(() => undefined) };
    const all: Command[] = [
      ...(selection?.() ?? []),
      ...rowCommands(list, rowOf(from, list)),
      ...(foot?.() ?? []),
      ...(bar?.() ?? []),
      ...(context.user.canEditChecklist ? [edit] : []),
      ...commandsOf(context)
        .flat()
        .filter(({ label }) => label !== PALETTE),
    ];
    return all.map(({ label, key, run }) => ({
      id: label,
      label,
      key: key === undefined ? undefined : keyText({ key }),
      run,
    }));
  });
  const popup = (
    <div className="check-palette">
      <Popover label="Commands" onClose={onClose}>
        <PaletteList
          label="Commands"
          choices={choices}
          onClose={() => onClose(true)}
          onChoose={({ run }) => {
            // Restores the focus before the command runs: a deleted row passes it on.
            onClose(true);
            queueMicrotask(run);
          }}
        />
      </Popover>
    </div>
  );
  const row = from.closest('li[data-key]');
  return row ? createPortal(popup, row) : popup;
}
