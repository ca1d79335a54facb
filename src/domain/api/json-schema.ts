import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { readAs } from '../shape.ts';
import { changeWords } from './vocabulary.ts';

/** A JSON Schema of draft 2020-12, which OpenAPI 3.1 and MCP use. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const kindShape = v.object({ entries: v.object({ kind: v.object({ literal: v.string() }) }) });
const words: Readonly<Record<string, string>> = changeWords;

/** The description of a kind of change. Its schema has none, since it is part of the client's bundle, too. */
function wordsOf(schema: unknown): string | undefined {
  const kind = readAs(kindShape, schema)?.entries.kind.literal;
  return kind !== undefined && Object.hasOwn(words, kind) ? words[kind] : undefined;
}

const config: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  // Changes a type only.
  ignoreActions: ['readonly'],
  overrideSchema({ valibotSchema, jsonSchema }) {
    // Clients that read arguments from text look for the type.
    if (valibotSchema.type === 'variant') return { type: 'object', ...jsonSchema };
    const description = wordsOf(valibotSchema);
    return description === undefined ? null : { ...jsonSchema, description };
  },
};

/** The JSON Schema of what a schema accepts. */
export function jsonSchemaOf(schema: v.GenericSchema): JsonSchema {
  const { $schema: _, ...converted } = toJsonSchema(schema, config);
  return converted;
}

/** Schemas with names, which refer to each other. */
export interface NamedSchemas {
  /** All of them, by name. */
  all: Readonly<Record<string, JsonSchema>>;
  /** The JSON Schema of any schema, which refers to those. */
  refer(schema: v.GenericSchema): JsonSchema;
}

/** Converts schemas with names. `path` is where the document has them. */
export function namedSchemas(schemas: Readonly<Record<string, v.GenericSchema>>, path: string): NamedSchemas {
  const named: ConversionConfig = { ...config, overrideRef: ({ referenceId }) => `${path}${referenceId}` };
  return {
    all: toJsonSchemaDefs(schemas, named) as Readonly<Record<string, JsonSchema>>,
    refer(schema) {
      const { $schema: _, $defs: __, ...converted } = toJsonSchema(schema, { ...named, definitions: schemas });
      return converted;
    },
  };
}
