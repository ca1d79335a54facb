import type { Checklist, Progress, Row } from './types.ts';

/** Counts over the checkbox rows. Percent is rounded down, so that 100 means all. */
export function progressOf(rows: readonly Row[]): Progress {
  let total = 0;
  let checked = 0;
  let mandatoryOpen = 0;
  for (const row of rows) {
    if (row.kind !== 'checkbox') continue;
    total++;
    if (row.status.checked) checked++;
    else if (row.mandatory) mandatoryOpen++;
  }
  return { total, checked, percent: total === 0 ? 0 : Math.floor((checked * 100) / total), mandatoryOpen };
}

/** A header and the rows that it owns. */
export interface Section {
  /** Index of the header's row. */
  header: number;
  /** Index after the last row that it owns, which are those below it up to the next header of its level or above. */
  end: number;
  progress: Progress;
}

/** One section for each header, in text order. */
export function sections({ rows }: Pick<Checklist, 'rows'>): Section[] {
  return rows.flatMap((row, header) => {
    if (row.kind !== 'header') return [];
    const next = rows.findIndex((other, i) => i > header && other.kind === 'header' && other.level <= row.level);
    const end = next < 0 ? rows.length : next;
    return [{ header, end, progress: progressOf(rows.slice(header + 1, end)) }];
  });
}
