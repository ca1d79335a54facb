import { lazyComponent } from '../kit/lazy/lazy-component.tsx';
import { requiredComponent } from '../kit/lazy/required-component.tsx';

/** Lazy: permissions and rejected changes are known only after the first paint. */
export const AddItem = requiredComponent('add', () => import('./add/add-item.tsx'));
export const RejectedChanges = requiredComponent('offers', () => import('./rejected-changes.tsx'));
export const ReadOnly = lazyComponent(async () => ({ default: (await import('./add/add-item.tsx')).ReadOnly }));
/** What other users do, and conflicts with them. */
export const RowNotes = lazyComponent(() => import('./row/row-notes.tsx'));
