/** What is said about items across issues. The specification is silent here. */

/** Issues that are named one by one. */
const NAMED = 5;

/** Issues, by their keys, whose items showed until somebody lost them. */
export function lost(keys: readonly string[]): string {
  const [only = ''] = keys;
  if (keys.length === 1)
    return `${only} doesn't exist any more, or you don't have permission to see it. Its items are no longer shown.`;
  const all = keys.length > NAMED ? `${keys.length.toLocaleString('en')} issues` : keys.join(', ');
  return `${all} don't exist any more, or you don't have permission to see them. Their items are no longer shown.`;
}
