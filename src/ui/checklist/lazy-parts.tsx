import { requiredComponent } from '../kit/content-state.tsx';
import { lazyComponent, withFallback } from '../kit/lazy-component.tsx';

/** Lazy: permissions and rejected changes are known only after the first paint. */
export const AddItem = withFallback(
  requiredComponent('add', () => import('./add/add-item.tsx')),
  <div className="check-add-room" />,
);
export const RejectedChanges = withFallback(requiredComponent('offers', () => import('./rejected-changes.tsx')));
export const ReadOnly = withFallback(
  lazyComponent(async () => ({ default: (await import('./add/add-item.tsx')).ReadOnly })),
);
/** What other users do, and conflicts with them. */
export const RowNotes = withFallback(lazyComponent(() => import('./row/row-notes.tsx')));
