import type { TreeRow } from './tree-rows.ts';

/** A key's command: focus another row, open or close rows, or open a row's checklist. */
export type TreeStep = { to: TreeRow } | { toggle: readonly TreeRow[] } | { checklist: TreeRow };

/** Rows that Page Up and Page Down move by. */
const PAGE = 10;

const parentOf = ({ path }: TreeRow): string => path.slice(0, path.lastIndexOf('/'));

/** The command of a key without Ctrl or Alt, as in the ARIA treegrid pattern; `undefined` for none. */
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
      return { checklist: row };
    default:
      return typed(rows, at, key);
  }
}

/** The next row whose key or summary starts with a character. */
function typed(rows: readonly TreeRow[], at: number, key: string): TreeStep | undefined {
  if (key.length !== 1) return undefined;
  const letter = key.toLowerCase();
  const ordered = [...rows.slice(at + 1), ...rows.slice(0, at)];
  const found = ordered.find(({ issue }) =>
    [issue.name, issue.key].some(text => text.toLowerCase().startsWith(letter)),
  );
  return found && { to: found };
}
