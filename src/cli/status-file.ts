import * as v from 'valibot';
import { readAs } from '../domain/shape.ts';
import type { Status } from '../domain/statuses.ts';
import { UsageError } from './errors.ts';

const registryShape = v.array(
  v.object({
    slug: v.string(),
    name: v.string(),
    checked: v.boolean(),
    color: v.picklist(['gray', 'purple', 'blue', 'red', 'yellow', 'green']),
  }),
);

/** The site's own statuses in a JSON text: an array of `{slug, name, checked, color}`. `path` is its name in messages. */
export function statusesFrom(json: string, path: string): Status[] {
  let value: unknown;
  try {
    value = JSON.parse(json.replace(/^\uFEFF/, ''));
  } catch {
    throw new UsageError(`${path} is no JSON.`);
  }
  const statuses = readAs(registryShape, value);
  if (statuses) return statuses;
  throw new UsageError(
    `${path} is no status registry: a JSON array of {slug, name, checked, color}, with one of the colors ` +
      'gray, purple, blue, red, yellow, green.',
  );
}
