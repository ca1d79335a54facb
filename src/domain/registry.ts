import * as v from 'valibot';
import { statusColors } from './colors.ts';
import { readAs } from './shape.ts';
import type { RegistryStatus } from './statuses.ts';

/*
 * The statuses that a project sees, as they are kept in a property of the project: so the tracker itself gives them to
 * whoever sees its issues. In the tracker's 32,768 characters there is room for some three hundred.
 */

const CHECKED = 1;
const GOING = 2;

const entryShape = v.pipe(
  v.tupleWithRest([v.string(), v.string(), v.picklist(statusColors), v.number()], v.string()),
  v.transform(
    ([slug, name, color, flags, ...former]): RegistryStatus => ({
      ...{ slug, name, color, former },
      checked: (flags & CHECKED) !== 0,
      going: (flags & GOING) !== 0,
    }),
  ),
);
const registryShape = v.object({ v: v.literal(1), statuses: v.array(entryShape) });

/** As it is stored. */
export const encodeRegistry = (statuses: readonly RegistryStatus[]) => ({
  v: 1,
  statuses: statuses.map(({ slug, name, color, checked, going, former }) => [
    slug,
    name,
    color,
    (checked ? CHECKED : 0) + (going ? GOING : 0),
    ...former,
  ]),
});

/** Reads what is stored; `undefined` when it is nothing of ours. */
export const parseRegistry = (value: unknown): RegistryStatus[] | undefined => readAs(registryShape, value)?.statuses;
