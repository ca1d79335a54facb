import type { AssignedCounts } from '../../client/assigned.ts';
import { SEARCH_MAX } from '../../domain/constants.ts';
import { Select, TextInput } from '../kit/form/form.tsx';
import { useSearchField } from '../kit/use-debounced.ts';
import type { AssignedView } from './use-assigned.ts';

/** Milliseconds without a key before a search. */
const PAUSE = 150;

interface Props {
  view: AssignedView;
  counts: AssignedCounts | undefined;
  onView(view: AssignedView): void;
}

const orders = [
  { value: 'ISSUE', words: 'By issue' },
  { value: 'DUE', words: 'By due date' },
] as const;

/** Prefix of option values for a status by slug; slugs contain no colon. */
const OF = 'status:';

function statusOptions({ status }: AssignedView, counts: AssignedCounts | undefined) {
  const known = counts?.statuses ?? [];
  const chosen = typeof status === 'object' && !known.some(({ slug }) => slug === status.slug) ? [status.slug] : [];
  return [
    { value: 'open', words: 'Open' },
    { value: 'checked', words: 'Completed' },
    { value: 'all', words: 'Open and completed' },
    ...known.map(({ slug, name, count }) => ({ value: OF + slug, words: `${name} (${count ?? 0})` })),
    ...chosen.map(slug => ({ value: OF + slug, words: slug })),
  ];
}

function projectOptions({ project }: AssignedView, counts: AssignedCounts | undefined) {
  const known = counts?.projects ?? [];
  const gone = project !== '' && !known.some(({ id }) => id === project);
  return [
    { value: '', words: 'All projects' },
    ...known.map(({ id, name, count }) => ({ value: id, words: `${name} (${count})` })),
    // The chosen project has no items with the other filters.
    ...(gone ? [{ value: project, words: 'This project (0)' }] : []),
  ];
}

const statusFrom = (value: string): AssignedView['status'] =>
  value === 'open' || value === 'checked' || value === 'all' ? value : { slug: value.slice(OF.length) };

/** Filters and order of the items. */
export function AssignedFilters({ view, counts, onView }: Props) {
  const [typed, setTyped] = useSearchField(view.text, PAUSE, text => onView({ ...view, text }));
  const { status, overdue } = view;
  return (
    <div className="assigned-filters">
      <TextInput label="Search items and issues" value={typed} maxLength={SEARCH_MAX} onChange={setTyped} />
      <Select
        label="Status"
        value={typeof status === 'object' ? OF + status.slug : status}
        options={statusOptions(view, counts)}
        onChange={value => onView({ ...view, status: statusFrom(value) })}
      />
      <Select
        label="Project"
        value={view.project}
        options={projectOptions(view, counts)}
        onChange={project => onView({ ...view, project })}
      />
      <Select
        label="Group"
        value={view.order}
        options={orders}
        onChange={(order: AssignedView['order']) => onView({ ...view, order })}
      />
      <button
        type="button"
        className="check-tool"
        aria-pressed={overdue}
        onClick={() => onView({ ...view, overdue: !overdue })}
      >
        Overdue{counts ? ` (${counts.overdue})` : ''}
      </button>
    </div>
  );
}
