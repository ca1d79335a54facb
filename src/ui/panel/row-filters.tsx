import type { CheckboxRow, Checklist } from '../../text/types.ts';
import { type Filter, isFiltering, isOverdue, noFilter } from '../model/rows/row-filter.ts';
import type { View } from '../model/rows/use-row-filter.ts';

interface Props {
  checklist: Checklist;
  view: View;
}

/** What to filter by, each with the number of items that it would show alone. */
export function Filters({ checklist, view: { filter, viewer, setFilter } }: Props) {
  const items = checklist.rows.filter(row => row.kind === 'checkbox');
  const count = (test: (row: CheckboxRow) => boolean) => items.filter(test).length;
  const chip = (label: string, found: number, on: boolean, next: Partial<Filter>) =>
    found > 0 || on ? (
      <button
        key={label}
        type="button"
        className="check-chip"
        aria-pressed={on}
        onClick={() => setFilter({ ...filter, ...next })}
      >
        {label} <span className="check-chip-count">{found}</span>
      </button>
    ) : null;
  const { mine, overdue, statuses } = filter;
  return (
    <fieldset className="check-filters">
      <legend className="check-hidden">Show only</legend>
      {chip(
        'Assigned to me',
        count(row => row.assignee === viewer.me),
        mine,
        { mine: !mine },
      )}
      {chip(
        'Overdue',
        count(row => isOverdue(row, viewer.today)),
        overdue,
        { overdue: !overdue },
      )}
      {checklist.statuses.list.map(({ slug, name }) => {
        const on = statuses.includes(slug);
        return chip(
          name,
          count(({ status }) => status.slug === slug),
          on,
          {
            statuses: on ? statuses.filter(each => each !== slug) : [...statuses, slug],
          },
        );
      })}
      {isFiltering(filter) ? (
        <button type="button" className="check-tool" onClick={() => setFilter(noFilter)}>
          Clear filters
        </button>
      ) : null}
    </fieldset>
  );
}
