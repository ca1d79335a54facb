import { useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

/** Baseline of the page: a straightforward tree with one state, all rows and no server. */

interface PlainIssue {
  id: string;
  parent: string | undefined;
  name: string;
  items: readonly string[];
}

interface RowProps {
  issue: PlainIssue;
  below: number;
  closed: boolean;
  onToggle(): void;
}

function Row({ issue: { id, name, items }, below, closed, onToggle }: RowProps) {
  const [open, setOpen] = useState(false);
  return (
    <li className="tree-row">
      {below > 0 ? (
        <button type="button" className="tree-toggle" onClick={onToggle}>
          {closed ? '▸' : '▾'}
        </button>
      ) : null}
      <a href={`#${id}`}>{id}</a> <span>{name}</span> <span>To Do</span> <span>Nobody</span>
      <button type="button" className="tree-work" onClick={() => setOpen(!open)}>
        0/{items.length}
      </button>
      {open ? (
        <ul>
          {items.map(item => (
            <li key={item}>
              <label>
                <input type="checkbox" /> {item}
              </label>
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}

function Plain({ all }: { all: readonly PlainIssue[] }) {
  const [search, setSearch] = useState('');
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => {
    const next = new Set(closed);
    if (!next.delete(id)) next.add(id);
    setClosed(next);
  };
  const found = all.filter(
    ({ name, parent }) => name.toLowerCase().includes(search.toLowerCase()) && !closed.has(parent ?? ''),
  );
  return (
    <>
      <input className="search" aria-label="Search" value={search} onChange={({ target }) => setSearch(target.value)} />
      <ul>
        {found.map(issue => (
          <Row
            key={issue.id}
            issue={issue}
            below={all.filter(({ parent }) => parent === issue.id).length}
            closed={closed.has(issue.id)}
            onToggle={() => toggle(issue.id)}
          />
        ))}
      </ul>
    </>
  );
}

/** Functions called by the benchmark. */
Object.assign(window, {
  show(all: readonly PlainIssue[]) {
    const root = createRoot(document.body.appendChild(document.createElement('div')));
    flushSync(() => root.render(<Plain all={all} />));
  },
});
