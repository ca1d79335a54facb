import { exportCsv } from './export/csv.ts';
import { exportGithub } from './export/github.ts';
import type { ExportOptions } from './export/person.ts';
import { exportText } from './export/text.ts';
import { exportWiki } from './export/wiki.ts';
import type { Checklist } from './types.ts';

export { exportLosses } from './export/losses.ts';
export type { ExportOptions } from './export/person.ts';

/** The notations that a checklist can be written in. */
export const exportNotations = ['github', 'wiki', 'csv', 'text'] as const;

export type ExportNotation = (typeof exportNotations)[number];

const writers: Record<ExportNotation, (checklist: Checklist, options: ExportOptions) => string> = {
  github: exportGithub,
  wiki: exportWiki,
  csv: exportCsv,
  text: exportText,
};

/** The checklist in another notation. `convert` reads it back; `exportLosses` names the losses. */
export function exportChecklist(checklist: Checklist, to: ExportNotation, options: ExportOptions = {}): string {
  return writers[to](checklist, options);
}
