import * as v from 'valibot';
import { readAs } from '../domain/shape.ts';
import { type StatusRegistry, statusRegistry } from '../text/statuses.ts';
import { UsageError } from './errors.ts';

const registryShape = v.array(
  v.object({
    slug: v.string(),
    name: v.string(),
    checked: v.boolean(),
    color: v.picklist(['gray', 'purple', 'blue', 'red', 'yellow', 'green']),
  }),
);

/** The registry in a JSON text: an array of `{slug, name, checked, color}`, the site's own statuses. */
export function registryFrom(json: string, path: string): StatusRegistry {
  let value: unknown;
  try {
    value = JSON.parse(json.replace(/^\uFEFF/, ''));
  } catch {
    throw new UsageError(`${path} is no JSON.`);
  }
  const statuses = readAs(registryShape, value);
  if (statuses) return statusRegistry(statuses);
  throw new UsageError(
    `${path} is no status registry: a JSON array of {slug, name, checked, color}, with one of the colors ` +
      'gray, purple, blue, red, yellow, green.',
  );
}
