/** What is said about items across issues. The specification is silent here. */

/** Issues that are named one by one. */
const NAMED = 5;

/** Issues, by their keys, whose items showed until somebody lost them. */
export function lost(keys: readonly string[]): string {
  const [only = ''] = keys;
  if (keys.length === 1)
    return `${only} does not exist any more, or you may not see it. Its items are not shown any more.`;
  const all = keys.length > NAMED ? `${keys.length.toLocaleString('en')} issues` : keys.join(', ');
  return `${all} do not exist any more, or you may not see them. Their items are not shown any more.`;
}
