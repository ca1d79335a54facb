import type { CheckboxRow } from '../types.ts';

/** The labels in front of an item, which `convert` reads back: a status that no box can show, and `!`. */
export function labelsOf({ status, mandatory }: CheckboxRow): string[] {
  const boxed = status.slug === 'todo' || status.slug === 'done';
  return [...(boxed ? [] : [`[${status.name}]`]), ...(mandatory ? ['!'] : [])];
}
