import type { TreeRow } from './tree-rows.ts';

/** What a key asks of the tree: another row, or something of that row. */
export type TreeStep = { to: TreeRow } | { toggle: readonly TreeRow[] } | { work: TreeRow };

/** Rows that a page's keys pass over. */
const PAGE = 10;

const parentOf = ({ path }: TreeRow): string => path.slice(0, path.lastIndexOf('/'));

/** What a key without Ctrl or Alt stands for on a row, as in the treegrid of the ARIA practices; `undefined` for nothing. */
export function stepOf(rows: readonly TreeRow[], at: number, key: string): TreeStep | undefined {
  const row = rows[at];
  if (!row) return undefined;
  const to = (index: number): TreeStep | undefined => {
    const found = rows[Math.max(0, Math.min(rows.length - 1, index))];
    return found && found !== row ? { to: found } : undefined;
  };
  switch (key) {
    case 'ArrowDown':
      return to(at + 1);
    case 'ArrowUp':
      return to(at - 1);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows.length - 1);
    case 'PageDown':
      return to(at + PAGE);
    case 'PageUp':
      return to(at - PAGE);
    case 'ArrowRight':
      if (!row.expandable) return undefined;
      return row.expanded ? to(at + 1) : { toggle: [row] };
    case 'ArrowLeft': {
      if (row.expanded) return { toggle: [row] };
      const above = rows.findIndex(({ path }) => path === parentOf(row));
      return above < 0 ? undefined : to(above);
    }
    case '*': {
      const beside = rows.filter(each => parentOf(each) === parentOf(row) && each.expandable && !each.expanded);
      return beside.length > 0 ? { toggle: beside } : undefined;
    }
    case 'Enter':
    case ' ':
      return { work: row };
    default:
      return typed(rows, at, key);
  }
}

/** The next row whose key or summary begins so. */
function typed(rows: readonly TreeRow[], at: number, key: string): TreeStep | undefined {
  if (key.length !== 1) return undefined;
  const letter = key.toLowerCase();
  const ordered = [...rows.slice(at + 1), ...rows.slice(0, at)];
  const found = ordered.find(({ issue }) =>
    [issue.name, issue.key].some(text => text.toLowerCase().startsWith(letter)),
  );
  return found && { to: found };
}
