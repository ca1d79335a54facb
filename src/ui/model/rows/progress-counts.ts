import type { Row } from '../../../text/types.ts';

/** How many items are done, skipped and begun. */
export interface Segments {
  done: number;
  skipped: number;
  /** Neither complete nor to do, whatever a site calls it. */
  begun: number;
}

export function segmentsOf(rows: readonly Row[]): Segments {
  const counts = { done: 0, skipped: 0, begun: 0 };
  for (const row of rows) {
    if (row.kind !== 'checkbox') continue;
    const { checked, slug } = row.status;
    if (checked) counts[slug === 'skipped' ? 'skipped' : 'done']++;
    else if (slug !== 'todo') counts.begun++;
  }
  return counts;
}
