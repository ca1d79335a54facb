import { needed } from '../parts/needed.tsx';

/** Come late: who may add, and what was refused, is known later than what there is to see. */
export const AddItem = needed('add', () => import('./add.tsx'));
export const Offers = needed('offers', () => import('./offers.tsx'));
