import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
import { isEvaluated } from './conditions.ts';
import { conditionsOf, type Descriptor, descriptorShape } from './descriptor.ts';

/** An invalid descriptor. `problems` are messages, one line each. */
export class DescriptorRefused extends Error {
  override readonly name = 'DescriptorRefused';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The descriptor is refused: ${problems.join('; ')}`);
    this.problems = problems;
  }
}

/** Validates a descriptor by the vendor's schemas and by what this tracker can evaluate. */
export function readDescriptor(value: unknown): Descriptor {
  compiled ??= compile();
  const isValid: boolean = compiled(value);
  if (!isValid) throw new DescriptorRefused(problemsOf(compiled.errors ?? [], value));
  const descriptor = parseAs(descriptorShape, value, problem => new DescriptorRefused([problem]));
  const unknown = conditionsOf(descriptor).filter(condition => !isEvaluated(condition.condition));
  if (unknown.length > 0) {
    throw new DescriptorRefused(unknown.map(({ condition }) => `the condition ${condition} is not known here`));
  }
  return descriptor;
}

let compiled: ValidateFunction | undefined;

type Schema = Record<string, unknown>;
const moduleSchemas = v.object({
  definitions: v.looseObject({
    ModuleSchema: v.object({ properties: v.record(v.string(), v.looseObject({ items: v.unknown() })) }),
  }),
});

const SCHEMA_PREFIX = 'connect-jira:';
/** Modules that are single in a Connect descriptor and a list in the vendor's Forge schema. */
const single = ['configurePage', 'postInstallPage'];

/** Converts the schemas of Connect modules in the vendor's Forge manifest to one of a Connect descriptor. */
function compile(): ValidateFunction {
  const file = createRequire(import.meta.url).resolve('@forge/manifest/schema.json');
  const { definitions } = parseAs(moduleSchemas, JSON.parse(readFileSync(file, 'utf8')));
  const modules: Schema = {};
  for (const [name, schema] of Object.entries(definitions.ModuleSchema.properties)) {
    if (!name.startsWith(SCHEMA_PREFIX)) continue;
    const plain = name.slice(SCHEMA_PREFIX.length);
    modules[plain] = single.includes(plain) ? schema.items : plain === 'webhooks' ? withoutKey(schema) : schema;
  }
  return new Ajv({ strict: false, allErrors: true }).compile({
    ...root,
    properties: {
      ...root.properties,
      modules: { type: 'object', properties: modules, additionalProperties: false },
    },
    definitions: { ...definitions, compositeCondition, ModuleKeySchema: moduleKey },
  });
}

/** Connect's webhooks need no key. */
const withoutKey = (schema: Schema & { items: unknown }): Schema => {
  const items = parseAs(v.looseObject({ required: v.array(v.string()) }), schema.items);
  return { ...schema, items: { ...items, required: items.required.filter(name => name !== 'key') } };
};

const moduleKey = { type: 'string', pattern: '^[a-zA-Z0-9-]+$', maxLength: 100 };

/** The vendor's reference has the wrong root and leaves out the short forms. */
const nested = {
  type: 'array',
  items: { anyOf: [{ $ref: '#/definitions/singleCondition' }, { $ref: '#/definitions/compositeCondition' }] },
};
const compositeCondition = {
  type: 'object',
  anyOf: [
    { required: ['or'], properties: { or: nested } },
    { required: ['and'], properties: { and: nested } },
    {
      required: ['type', 'conditions'],
      properties: { type: { enum: ['and', 'AND', 'or', 'OR'] }, conditions: nested },
    },
  ],
};

const relativeUrl = { type: 'string', pattern: '^/' };
const root = {
  type: 'object',
  required: ['key', 'name', 'baseUrl', 'authentication', 'apiMigrations', 'modules'],
  properties: {
    key: { type: 'string', pattern: '^[a-zA-Z0-9-._]+$', maxLength: 64 },
    name: { type: 'string', minLength: 1, maxLength: 80 },
    baseUrl: { type: 'string', pattern: '^https?://' },
    authentication: { type: 'object', required: ['type'], properties: { type: { const: 'jwt' } } },
    lifecycle: {
      type: 'object',
      properties: {
        installed: relativeUrl,
        uninstalled: relativeUrl,
        enabled: relativeUrl,
        disabled: relativeUrl,
      },
      additionalProperties: false,
    },
    scopes: {
      type: 'array',
      items: {
        enum: ['NONE', 'READ', 'WRITE', 'DELETE', 'PROJECT_ADMIN', 'ADMIN', 'ACT_AS_USER', 'ACCESS_EMAIL_ADDRESSES'],
      },
    },
    apiVersion: { type: 'integer' },
    apiMigrations: {
      type: 'object',
      required: ['gdpr', 'signed-install', 'context-qsh'],
      properties: { gdpr: { const: true }, 'signed-install': { const: true }, 'context-qsh': { const: true } },
    },
  },
};

/** One line per error, the path first; follow-up errors of alternatives are left out. */
function problemsOf(errors: readonly ErrorObject[], descriptor: unknown): string[] {
  const relevant = errors.filter(error => error.keyword !== 'anyOf' && error.keyword !== 'if');
  const lines = (relevant.length > 0 ? relevant : errors).map(error => {
    const detail = 'allowedValues' in error.params ? `: ${String(error.params.allowedValues)}` : '';
    const extra = 'additionalProperty' in error.params ? `: ${String(error.params.additionalProperty)}` : '';
    const constant = 'allowedValue' in error.params ? `: ${JSON.stringify(error.params.allowedValue)}` : '';
    return `${placeOf(error.instancePath, descriptor)} ${error.message}${detail}${extra}${constant}`;
  });
  return [...new Set(lines)];
}

/** `modules.dialogs[checklist-editor].options`: entries of a list go by their key, if they have one. */
function placeOf(path: string, descriptor: unknown): string {
  let currentValue = descriptor;
  let place = '';
  for (const step of path.split('/').slice(1)) {
    currentValue =
      typeof currentValue === 'object' && currentValue !== null ? Reflect.get(currentValue, step) : undefined;
    const key =
      typeof currentValue === 'object' && currentValue !== null ? Reflect.get(currentValue, 'key') : undefined;
    place += /^\d+$/.test(step) ? `[${typeof key === 'string' ? key : step}]` : `${place && '.'}${step}`;
  }
  return place || 'the descriptor';
}
