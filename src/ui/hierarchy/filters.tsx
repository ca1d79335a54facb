import { useEffect, useState } from 'react';
import { Select, TextInput } from '../parts/form.tsx';
import type { TreeFilter } from './rows.ts';

/** Milliseconds without a key before a search begins. */
const PAUSE = 80;

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

/** Which issues of the tree show, and whether all of it is open. */
export function TreeFilters({ filter, onFilter, onExpandAll, onCollapseAll, onRefresh }: Props) {
  const [typed, setTyped] = useState(filter.text);
  const [known, setKnown] = useState(filter.text);
  if (known !== filter.text) {
    setKnown(filter.text);
    setTyped(filter.text);
  }
  useEffect(() => {
    if (typed === filter.text) return undefined;
    const timer = setTimeout(() => onFilter({ ...filter, text: typed }), PAUSE);
    return () => clearTimeout(timer);
  }, [typed, filter, onFilter]);
  return (
    <div className="tree-filters">
      <TextInput label="Search" value={typed} onChange={setTyped} />
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
