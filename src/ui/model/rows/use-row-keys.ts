import { useState } from 'react';
import type { Row } from '../../../text/types.ts';
import { keyed, unkeyed } from './row-keys.ts';

/** Keys that rows keep while they change. */
export function useRowKeys(rows: readonly Row[]): readonly number[] {
  const [state, setState] = useState(() => keyed(unkeyed, rows));
  if (state.rows === rows) return state.keys;
  // React's way to derive state from what a component is given: at once, before anything is painted.
  const next = keyed(state, rows);
  setState(next);
  return next.keys;
}
