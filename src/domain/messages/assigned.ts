/** Messages about items across issues; not fixed by the specification. */

/** Maximum number of issues named by key. */
const NAMED = 5;

/** Issues, by key, whose items were shown until the user lost access. */
export function lost(keys: readonly string[]): string {
  const [only = ''] = keys;
  if (keys.length === 1)
    return `${only} no longer exists, or you don't have permission to see it. Its items are no longer shown.`;
  const all = keys.length > NAMED ? `${keys.length.toLocaleString('en')} issues` : keys.join(', ');
  return `${all} no longer exist, or you don't have permission to see them. Their items are no longer shown.`;
}
