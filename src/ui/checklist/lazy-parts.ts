import { requiredComponent } from '../kit/lazy/required-component.tsx';

/** Come late: who may add, and what was refused, is known later than what there is to see. */
export const AddItem = requiredComponent('add', () => import('./add/add-item.tsx'));
export const RejectedChanges = requiredComponent('offers', () => import('./rejected-changes.tsx'));
