import type { CheckboxRow } from '../types.ts';

/** A status that is neither of those which a box says, as a label in front, and `!`: what `convert` reads back. */
export function labelsOf({ status, mandatory }: CheckboxRow): string[] {
  const boxed = status.slug === 'todo' || status.slug === 'done';
  return [...(boxed ? [] : [`[${status.name}]`]), ...(mandatory ? ['!'] : [])];
}
