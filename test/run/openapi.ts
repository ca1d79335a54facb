import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import * as v from 'valibot';
import type { RecordedCall } from './vendor-calls.ts';

const schema = v.looseObject({});
const content = v.optional(
  v.looseObject({ 'application/json': v.optional(v.looseObject({ schema: v.optional(schema) })) }),
);
const parameter = v.looseObject({
  name: v.optional(v.string()),
  in: v.optional(v.string()),
  required: v.optional(v.boolean(), false),
});
const operation = v.looseObject({
  parameters: v.optional(v.array(parameter), []),
  requestBody: v.optional(v.looseObject({ content })),
  responses: v.record(v.string(), v.looseObject({ content })),
});
const documentShape = v.looseObject({
  paths: v.record(v.string(), v.record(v.string(), v.unknown())),
  components: v.looseObject({ schemas: v.record(v.string(), schema) }),
});

/** Members of a schema that say nothing of values. */
const IGNORED = ['example', 'xml', 'externalDocs', 'discriminator', 'readOnly', 'writeOnly', 'deprecated', 'nullable'];

/** A schema of OpenAPI 3.0 as one of JSON Schema. Members that the document does not list are allowed. */
function converted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(converted);
  if (typeof value !== 'object' || value === null) return value;
  const read = value as Record<string, unknown>;
  const made: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(read)) {
    if (IGNORED.includes(name) || (name === 'additionalProperties' && inner === false)) continue;
    if (name === '$ref') made.$ref = String(inner).replace('#/components/schemas/', '#/$defs/');
    else if (name === 'properties' && typeof inner === 'object' && inner !== null)
      made.properties = Object.fromEntries(Object.entries(inner).map(([key, each]) => [key, converted(each)]));
    else made[name] = converted(inner);
  }
  if (read.nullable === true && typeof made.type === 'string') made.type = [made.type, 'null'];
  if (read.nullable === true && Array.isArray(made.enum)) made.enum = [...made.enum, null];
  return made;
}

/** Compares calls with the vendor's document: each kind of deviation with its count and an example. */
export function createValidator(document: unknown) {
  const { paths, components } = v.parse(documentShape, document);
  const definitions = Object.fromEntries(
    Object.entries(components.schemas).map(([name, each]) => [name, converted(each)]),
  );
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const format of ['int32', 'int64', 'double', 'float']) ajv.addFormat(format, true);
  ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))));
  const compiled = new Map<string, ValidateFunction>();
  const routes = Object.entries(paths).map(([path, methods]) => ({
    path,
    methods,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
    variables: path.split('{').length,
  }));
  const deviations = new Map<string, { count: number; example: string }>();

  function compile(of: unknown): ValidateFunction {
    const key = JSON.stringify(of);
    const known = compiled.get(key) ?? ajv.compile({ ...(converted(of) as object), $defs: definitions });
    compiled.set(key, known);
    return known;
  }

  function note(deviation: string, example: string): void {
    const { count } = deviations.get(deviation) ?? { count: 0 };
    deviations.set(deviation, {
      count: count + 1,
      example: deviations.get(deviation)?.example ?? example.slice(0, 200),
    });
  }

  /** Notes where a value differs from a schema, with ids left out. */
  function compare(what: string, of: unknown, value: unknown): void {
    const validate = compile(of);
    if (validate(value)) return;
    for (const { instancePath, message = '' } of validate.errors ?? []) {
      const place = instancePath.replace(/\/\d+/g, '/N').replace(/customfield_\d+/g, 'customfield_N');
      note(`${what}: ${place} ${message}`, JSON.stringify(value));
    }
  }

  function check({ method, url, request, status, answer }: RecordedCall): void {
    const [path = '', query = ''] = url.split('?');
    if (method === 'HEAD' || !path.startsWith('/rest/')) return;
    const wanted = path.replace(/^\/rest\/api\/(2|latest)\//, '/rest/api/3/');
    const [route] = routes
      .filter(({ pattern, methods }) => pattern.test(wanted) && methods[method.toLowerCase()])
      .sort((one, other) => one.variables - other.variables);
    if (!route) return void note(`no such call: ${method} ${wanted.replace(/\d+/g, 'N')}`, url);
    const { parameters, requestBody, responses } = v.parse(operation, route.methods[method.toLowerCase()]);
    const name = `${method} ${route.path}`;
    const names = new URLSearchParams(query);
    const known = parameters.filter(each => each.in === 'query');
    // Refused calls may be wrong on purpose.
    if (status < 400) {
      for (const key of names.keys())
        if (!known.some(each => each.name === key)) note(`${name}: unknown parameter ${key}`, url);
      for (const each of known)
        if (each.required && !names.has(each.name ?? '')) note(`${name}: without the parameter ${each.name}`, url);
      const body = requestBody?.content?.['application/json']?.schema;
      if (body && request !== undefined && request !== null) compare(`${name}, request`, body, request);
    }
    const described = responses[String(status)];
    if (!described) return void note(`${name}: status ${status} is not documented`, answer);
    const shape = described.content?.['application/json']?.schema;
    if (!shape && answer !== '' && status < 300)
      return void note(`${name} ${status}: an answer, none is documented`, answer);
    // A schema without members describes an empty answer.
    if (!shape || Object.keys(shape).length === 0) return;
    if (answer === '') note(`${name} ${status}: no answer, one is documented`, url);
    else compare(`${name} ${status}`, shape, JSON.parse(answer));
  }

  return { check, deviations };
}
