import { type StatusRegistry, statusRegistry } from '../../src/text/status-registry.ts';

/** A registry of custom statuses, and how often their names have been read. */
export function countedRegistry(names: readonly string[]): { registry: StatusRegistry; reads(): number } {
  let reads = 0;
  const statuses = names.map((name, index) => ({
    slug: `status_${index}`,
    get name() {
      reads += 1;
      return name;
    },
    checked: false,
    color: 'gray' as const,
  }));
  return { registry: statusRegistry(statuses), reads: () => reads };
}
