import { useEffect, useState } from 'react';
import { useLive } from '../shell/hooks.ts';

/** Milliseconds for which the same issues are seen before changes of them are listened for, and most of them at once. */
const REST = 700;
const MOST = 40;

interface Props {
  ids: readonly string[];
  onChange(id: string): void;
}

/** Hears of changes of the checklists that are seen. */
export function LiveIssues({ ids, onChange }: Props) {
  const [heard, setHeard] = useState<readonly string[]>([]);
  useEffect(() => {
    const timer = setTimeout(() => setHeard(ids.slice(0, MOST)), REST);
    return () => clearTimeout(timer);
  }, [ids]);
  return heard.map(id => <One key={id} id={id} onChange={onChange} />);
}

function One({ id, onChange }: { id: string; onChange(id: string): void }) {
  useLive({ issue: id }, event => {
    if (event.kind === 'checklist') onChange(id);
  });
  return null;
}
