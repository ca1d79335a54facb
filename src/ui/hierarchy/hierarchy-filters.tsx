import { Select, TextInput } from '../kit/form/form.tsx';
import type { TreeFilter } from './tree/tree-rows.ts';

const shows = [
  { value: 'all', words: 'All issues' },
  { value: 'open', words: 'With open items' },
  { value: 'mandatory', words: 'With mandatory items open' },
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
          Open all
        </button>
        <button type="button" className="check-tool" onClick={onCollapseAll}>
          Close all
        </button>
        <button type="button" className="check-tool" onClick={onRefresh}>
          Refresh
        </button>
      </div>
    </div>
  );
}
