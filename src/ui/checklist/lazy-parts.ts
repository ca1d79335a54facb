import { requiredComponent } from '../kit/content-state.tsx';
import { lazyComponent } from '../kit/lazy-component.tsx';

/** Lazy: permissions and rejected changes are known only after the first paint. */
export const AddItem = requiredComponent('add', () => import('./add/add-item.tsx'));
export const RejectedChanges = requiredComponent('offers', () => import('./rejected-changes.tsx'));
export const ReadOnly = lazyComponent(async () => ({ default: (await import('./add/add-item.tsx')).ReadOnly }));
/** What other users do, and conflicts with them. */
export const RowNotes = lazyComponent(() => import('./row/row-notes.tsx'));
