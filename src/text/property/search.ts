import type { SearchData } from '../../domain/storage.ts';
import type { Row } from '../types.ts';
import { openGates } from './rules.ts';

/** The maximum number of values of a kind. */
const MAX_VALUES = 50;

const distinct = (values: readonly (string | undefined)[]): string[] => [
  ...new Set(values.filter(value => value !== undefined)),
];

/**
 * The values by which a search finds rows. `room` is how many characters of JSON they may take, since the text itself
 * comes first if the tracker has little space. If not all values fit, the first ones are kept; undefined if not even
 * empty lists fit.
 */
export function searchData(rows: readonly Row[], room: number): SearchData | undefined {
  const items = rows.filter(row => row.kind === 'checkbox');
  const open = items.filter(({ status }) => !status.checked);
  const data: SearchData = { statuses: [], assignees: [], dueDates: [], gates: [] };
  let remainingRoom = room - JSON.stringify(data).length;
  if (remainingRoom < 0) return undefined;
  const take = (into: string[], values: readonly string[]) => {
    for (const value of values.slice(0, MAX_VALUES)) {
      const size = JSON.stringify(value).length + (into.length > 0 ? 1 : 0);
      if (size > remainingRoom) return;
      remainingRoom -= size;
      into.push(value);
    }
  };
  take(data.statuses, distinct(items.map(({ status }) => status.name)));
  take(
    data.dueDates,
    distinct(open.map(({ dueDate }) => dueDate)).sort((a, b) => a.localeCompare(b, 'en')),
  );
  take(data.gates, openGates({ rows }));
  take(data.assignees, distinct(open.map(({ assignee }) => assignee)));
  return data;
}
