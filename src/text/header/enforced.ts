import type { Row } from '../types.ts';

/** Settings of a checklist that take effect only by a workflow rule or a portal. */
export type Enforced = 'gates' | 'mandatory' | 'customers';

const kinds: readonly [Enforced, (row: Row) => number][] = [
  ['gates', row => (row.kind === 'header' ? row.gates.length : 0)],
  ['mandatory', row => Number(row.kind === 'checkbox' && row.mandatory)],
  ['customers', row => Number(row.kind === 'header' && row.customers)],
];

/** The kind of which an edit leaves more in rows than before; the first, if of several. */
export function newlyEnforced(before: readonly Row[], after: readonly Row[]): Enforced | undefined {
  const count = (rows: readonly Row[], of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  return kinds.find(([, of]) => count(after, of) > count(before, of))?.[0];
}
