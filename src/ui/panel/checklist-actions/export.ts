import { whole } from '../../../domain/messages.ts';
import { nameIn } from '../../../text/export/person.ts';
import { exportChecklist } from '../../../text/export.ts';
import type { Checklist } from '../../../text/types.ts';
import { copyText, download } from '../../kit/copy-and-download.ts';
import type { Notify } from '../../shell/services/services.ts';

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
