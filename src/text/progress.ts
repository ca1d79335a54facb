import type { Checklist, Progress, Row } from './types.ts';

/** Whole percent, rounded down, so that 100 means all. */
export const percentOf = (checked: number, total: number): number =>
  total === 0 ? 0 : Math.floor((checked * 100) / total);

/** Counts over the checkbox rows. */
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
  return { total, checked, percent: percentOf(checked, total), mandatoryOpen };
}

/** A header and the rows that it owns. */
export interface Section {
  /** Index of the header's row. */
  header: number;
  /** Index after the section's last row. A section ends at the next header of its level or above. */
  end: number;
  progress: Progress;
}

/** One section for each header, in text order. */
export function sections({ rows }: Pick<Checklist, 'rows'>): Section[] {
  const allSections: Section[] = [];
  // For each level, the end of a section that begins further up.
  const ends: number[] = Array(7).fill(rows.length);
  for (let header = rows.length - 1; header >= 0; header--) {
    const row = rows[header];
    if (row?.kind !== 'header') continue;
    const end = ends[row.level] ?? rows.length;
    allSections.push({ header, end, progress: progressOf(rows.slice(header + 1, end)) });
    ends.fill(header, row.level);
  }
  return allSections.reverse();
}
