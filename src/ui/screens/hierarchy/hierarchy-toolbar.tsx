import Heading from '@atlaskit/heading';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { findIssues } from '../../../client/tracker/find-issues.ts';
import { Select, TextInput } from '../../kit/form/form.tsx';
import { useDebounced } from '../../kit/use-debounced.ts';
import { useBridge } from '../../shell/services/services.ts';
import type { TreeFilter } from './tree/tree-rows.ts';

const shows = [
  { value: 'all', words: 'All issues' },
  { value: 'open', words: 'With open items' },
  { value: 'mandatory', words: 'With open mandatory items' },
] as const;

interface Props {
  filter: TreeFilter;
  onFilter(filter: TreeFilter): void;
  onExpandAll(): void;
  onCollapseAll(): void;
  onRefresh(): void;
}

/** Filters of the tree, and buttons to open or close all of it. */
export function TreeFilters({ filter, onFilter, onExpandAll, onCollapseAll, onRefresh }: Props) {
  return (
    <div className="tree-filters">
      <TextInput label="Search" value={filter.text} onChange={text => onFilter({ ...filter, text })} />
      <Select label="Show" value={filter.show} options={shows} onChange={show => onFilter({ ...filter, show })} />
      <div className="tree-tools">
        <button
          type="button"
          className="check-tool"
          aria-pressed={filter.links}
          onClick={() => onFilter({ ...filter, links: !filter.links })}
        >
          Linked issues
        </button>
        <button type="button" className="check-tool" onClick={onExpandAll}>
          Expand all
        </button>
        <button type="button" className="check-tool" onClick={onCollapseAll}>
          Collapse all
        </button>
        <button type="button" className="check-tool" onClick={onRefresh}>
          Refresh
        </button>
      </div>
    </div>
  );
}

const SEARCH_DEBOUNCE_MS = 200;

/** A search for the issue whose hierarchy to show, if the tracker opened the page without one. */
export function PickIssue({ onPick }: { onPick(issueKey: string): void }) {
  const bridge = useBridge();
  const [typed, setTyped] = useState('');
  const key = useDebounced(typed.trim().toUpperCase(), SEARCH_DEBOUNCE_MS);
  const issuesQuery = useQuery({
    queryKey: ['hierarchy', 'issues', key],
    queryFn: ({ signal }) => findIssues(bridge, key, signal),
    enabled: key !== '',
    meta: { silent: true },
  });
  const none = key !== '' && issuesQuery.data?.length === 0;
  return (
    <main className="check-panel hierarchy-pick">
      <Heading as="h1" size="medium">
        Smart hierarchy
      </Heading>
      <p>See the checklists of an issue, of those above and below it, and of linked ones together.</p>
      <form
        onSubmit={event => {
          event.preventDefault();
          const [first] = issuesQuery.data ?? [];
          if (first && key === typed.trim().toUpperCase()) onPick(first.key);
        }}
      >
        <TextInput
          label="Issue key"
          value={typed}
          onChange={setTyped}
          autoFocus
          hint="For example, WEB-1"
          error={
            issuesQuery.isError
              ? "We couldn't search for issues. Try again."
              : none
                ? 'No issue has this key.'
                : undefined
          }
        />
      </form>
      <ul className="hierarchy-found">
        {(issuesQuery.data ?? []).map(({ key, name, status }) => (
          <li key={key}>
            <button type="button" onClick={() => onPick(key)}>
              <img className="check-issue-icon" src={status.icon} alt="" /> <strong>{key}</strong>{' '}
              <span dir="auto">{name}</span>
            </button>
          </li>
        ))}
      </ul>
    </main>
  );
}
