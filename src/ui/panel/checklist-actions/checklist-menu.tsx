import { whole } from '../../../domain/messages.ts';
import { nameIn } from '../../../text/export/person.ts';
import { exportChecklist } from '../../../text/export.ts';
import type { Checklist } from '../../../text/types.ts';
import { ActionMenu } from '../../kit/action-menu.tsx';
import { copyText, download } from '../../kit/copy-and-download.ts';
import { useUnseenNews } from '../../shell/help/news.ts';
import type { Notify } from '../../shell/services/services.ts';
import { type CommandContext, commandsOf } from './commands.ts';

export { printChecklist } from './print-sheet.ts';

import '../../shell/shell.css';

interface Props {
  context: CommandContext;
  /** `withFocus`: closed by keyboard, so the focus is to be restored; not after a click elsewhere. */
  onClose(withFocus: boolean): void;
}

/** The menu of the checklist's permitted commands. A lazy chunk, mounted while open. */
export default function ChecklistMenu({ context, onClose }: Props) {
  const unseen = useUnseenNews();
  return (
    <ActionMenu
      label="Checklist actions"
      actions={commandsOf(context)}
      mark={({ news }) => (news && unseen ? <span className="help-new">New</span> : undefined)}
      onClose={onClose}
    />
  );
}

/** A checklist to export, with the people's names loaded so far. */
export interface Shared {
  checklist: Checklist;
  names: Readonly<Record<string, string>>;
}

/** Copies the checklist as a Markdown task list and reports whether the browser permitted it. */
export async function copyMarkdown({ checklist, names }: Shared, notify: Notify): Promise<void> {
  const done = await copyText(exportChecklist(checklist, 'github', { nameOf: nameIn(names) }));
  notify(done ? whole.copied : whole.notCopied, done ? 'success' : 'error');
}

/** A byte order mark, by which spreadsheets detect the encoding. */
const MARK = '\ufeff';

/** Downloads the checklist as CSV. */
export function downloadCsv({ checklist, names }: Shared, name: string): void {
  const text = MARK + exportChecklist(checklist, 'csv', { nameOf: nameIn(names) });
  download(`${name}.csv`, 'text/csv', text);
}
