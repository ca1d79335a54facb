/**
 * Of the values that a form ends with, those that are other than it began with: what was left alone may have been changed
 * by somebody else meanwhile, and stays as they made it. Lists are compared by what is in them, in their order.
 */
export function changedOf<T extends object>(before: T, now: T): Partial<T> {
  const changed: Partial<T> = {};
  for (const key of Object.keys(now) as (keyof T)[]) {
    if (JSON.stringify(now[key]) !== JSON.stringify(before[key])) changed[key] = now[key];
  }
  return changed;
}
