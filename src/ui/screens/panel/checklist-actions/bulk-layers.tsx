import { whole } from '../../../../domain/messages.ts';
import { nameIn } from '../../../../text/export/person.ts';
import { type ExportNotation, exportChecklist } from '../../../../text/export.ts';
import { readChecklist } from '../../../../text/read.ts';
import { sourceOf } from '../../../../text/rows.ts';
import type { CheckboxRow, Checklist, Row } from '../../../../text/types.ts';
import { Assignee } from '../../../checklist/row/assignee-picker.tsx';
import { ConvertPopup } from '../../../checklist/row/convert-popup.tsx';
import { DueDate, StatusMenu } from '../../../checklist/row/row-layers.tsx';
import { SectionMenu } from '../../../checklist/row/row-menu.tsx';
import { menuGroups, type OfferedCommand } from '../../../commands/command.ts';
import { ActionMenu } from '../../../kit/action-menu.tsx';
import { copyText } from '../../../kit/copy-and-download.ts';
import type { Actions } from '../../../model/checklist/use-actions.ts';
import type { Notify } from '../../../shell/services/services.ts';
import type { BulkPart } from '../bulk-actions.tsx';

interface Copied {
  checklist: Checklist;
  rows: readonly Row[];
  names: Readonly<Record<string, string>>;
}

/** The text of rows, in text order, in another notation. */
export function textOfRows({ checklist, rows, names }: Copied, to: ExportNotation): string {
  const sources = rows.map(row => sourceOf(checklist, checklist.rows.indexOf(row)).replace(/\n?$/, '\n'));
  const copied = readChecklist(sources.join(''), checklist.statuses);
  return exportChecklist(copied, to, { nameOf: nameIn(names) });
}

/** Copies rows and reports whether the browser permitted it. */
export async function copyRows(copied: Copied, to: ExportNotation, notify: Notify): Promise<void> {
  const done = await copyText(textOfRows(copied, to));
  notify(done ? whole.rowsCopied(copied.rows.length) : whole.textNotCopied, done ? 'success' : 'error');
}

interface Props {
  part: BulkPart;
  checklist: Checklist;
  /** The selected items, in text order. */
  items: readonly CheckboxRow[];
  actions: Actions;
  /** The commands that the toolbar has no room for. */
  menu: readonly OfferedCommand[];
  onClose(withFocus: boolean): void;
}

/** A menu or popup of the selection's toolbar, mounted while open. */
export default function BulkLayer({ part, checklist, items, actions, menu, onClose }: Props) {
  const name = items.length === 1 ? '1 item' : `${items.length} items`;
  if (part === 'status')
    return (
      <StatusMenu
        status={items.every(({ status }) => status === items[0]?.status) ? items[0]?.status : undefined}
        statuses={checklist.statuses.list}
        onChoose={slug => {
          onClose(true);
          actions.setStatuses(items, slug);
        }}
        onClose={onClose}
      />
    );
  if (part === 'assignee') return <Assignee rows={items} name={name} actions={actions} onClose={onClose} />;
  if (part === 'due') return <DueDate rows={items} name={name} actions={actions} onClose={onClose} />;
  if (part === 'section')
    return (
      <SectionMenu
        name={name}
        checklist={checklist}
        onChoose={(index, to) => {
          onClose(true);
          actions.move(items, index, false, to);
        }}
        onClose={onClose}
      />
    );
  if (part === 'convert') return <ConvertPopup rows={items} name={name} actions={actions} onClose={onClose} />;
  return <ActionMenu label="More actions" actions={menuGroups(menu)} onClose={onClose} />;
}
