import * as v from 'valibot';
import { statusColors } from './colors.ts';
import { readAs } from './shape.ts';
import type { RegistryStatus } from './statuses.ts';

/*
 * The statuses of a project as stored in a project property, which the tracker itself serves to everyone who can see
 * its issues. The tracker's 32,768 characters hold some three hundred.
 */

const CHECKED_FLAG = 1;
const GOING_FLAG = 2;

const entryShape = v.pipe(
  v.tupleWithRest([v.string(), v.string(), v.picklist(statusColors), v.number()], v.string()),
  v.transform(
    ([slug, name, color, flags, ...former]): RegistryStatus => ({
      ...{ slug, name, color, former },
      checked: (flags & CHECKED_FLAG) !== 0,
      going: (flags & GOING_FLAG) !== 0,
    }),
  ),
);
const registryShape = v.object({ v: v.literal(1), statuses: v.array(entryShape) });

/** The stored form of a registry. */
export const encodeRegistry = (statuses: readonly RegistryStatus[]) => ({
  v: 1,
  statuses: statuses.map(({ slug, name, color, checked, going, former }) => [
    slug,
    name,
    color,
    (checked ? CHECKED_FLAG : 0) + (going ? GOING_FLAG : 0),
    ...former,
  ]),
});

/** Reads a stored registry; `undefined` for anything else. */
export const parseRegistry = (value: unknown): RegistryStatus[] | undefined => readAs(registryShape, value)?.statuses;
