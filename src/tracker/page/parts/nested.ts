import type { HostIssueLine } from '../../wire/site.ts';

/** Every issue behind its parent, with its depth. */
export function nested(issues: readonly HostIssueLine[]): { issue: HostIssueLine; depth: number }[] {
  const keys = new Set(issues.map(({ key }) => key));
  const below = (parent: string | undefined, depth: number): { issue: HostIssueLine; depth: number }[] =>
    issues
      .filter(({ parentKey }) => (parentKey !== undefined && keys.has(parentKey) ? parentKey : undefined) === parent)
      .flatMap(issue => [{ issue, depth }, ...below(issue.key, depth + 1)]);
  return below(undefined, 0);
}
