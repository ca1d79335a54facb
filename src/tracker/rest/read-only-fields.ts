import { evaluate } from '../expressions/evaluate.ts';
import { ExpressionRefused } from '../expressions/lex.ts';
import type { CustomField, Issue } from '../site/model.ts';
import type { Site } from '../site/site.ts';

/** All properties of an issue, by key. */
export function propertiesOf(site: Site, { id }: Issue): Record<string, unknown> {
  const prefix = `issue/${id}/`;
  return Object.fromEntries(site.properties.list(prefix).map(({ id, value }) => [id.slice(prefix.length), value]));
}

/**
 * The value of a read-only field: what stands in a property of the issue if it has the field's type (Connect), or what
 * the field's formatter makes (Forge). `null` if there is none.
 */
export function readOnlyValue(site: Site, issue: Issue, source: NonNullable<CustomField['value']>): unknown {
  if ('expression' in source) {
    const variables = {
      issue: { id: Number(issue.id), key: issue.key, properties: propertiesOf(site, issue) },
      value: null,
    };
    try {
      return evaluate(source.expression, { variables, now: Date.now(), zone: 'UTC' }) || null;
    } catch (error) {
      if (error instanceof ExpressionRefused) return null;
      throw error;
    }
  }
  let pathValue: unknown = site.properties.get(`issue/${issue.id}/${source.property}`);
  for (const name of source.path.split('.')) {
    pathValue =
      typeof pathValue === 'object' && pathValue !== null && Object.hasOwn(pathValue, name)
        ? Reflect.get(pathValue, name)
        : undefined;
  }
  return typeof pathValue === (source.type === 'number' ? 'number' : 'string') ? pathValue : null;
}
