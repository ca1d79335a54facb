import { setImmediate as turn } from 'node:timers/promises';
import { inSlices as compute } from '../../text/convert/in-slices.ts';
import type { Sliced } from '../../text/sliced.ts';

/** Computes in slices, between which other requests of the process run. */
export const inSlices = <T>(work: Sliced<T>): Promise<T> => compute(work, () => turn());
