import { whole } from '../../../domain/messages.ts';
import { nameIn } from '../../../text/export/person.ts';
import { exportChecklist } from '../../../text/export.ts';
import type { Checklist } from '../../../text/types.ts';
import { copyText, download } from '../../kit/copy-and-download.ts';
import type { Notify } from '../../shell/services/services.ts';

/** A checklist taken out of the panel: people by the names that the tracker has said so far. */
export interface Shared {
  checklist: Checklist;
  names: Readonly<Record<string, string>>;
}

/** Puts the checklist into the clipboard as a task list, and says whether that was let. */
export async function copyMarkdown({ checklist, names }: Shared, notify: Notify): Promise<void> {
  const done = await copyText(exportChecklist(checklist, 'github', { nameOf: nameIn(names) }));
  notify(done ? whole.copied : whole.notCopied, done ? 'success' : 'error');
}

/** A byte order mark: by it spreadsheets know the encoding. */
const MARK = '\ufeff';

/** Hands the checklist over as a file for spreadsheets. */
export function downloadCsv({ checklist, names }: Shared, name: string): void {
  const text = MARK + exportChecklist(checklist, 'csv', { nameOf: nameIn(names) });
  download(`${name}.csv`, 'text/csv', text);
}
