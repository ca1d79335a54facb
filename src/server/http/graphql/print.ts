import { mkdir, writeFile } from 'node:fs/promises';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { introspectionFromSchema, lexicographicSortSchema } from 'graphql';
import { schema } from './schema.ts';

/** Output of `npm run generate`: types for checking the client's documents. */
const target = new URL('../../../client/graphql-env.d.ts', import.meta.url);

const introspection = minifyIntrospection(introspectionFromSchema(lexicographicSortSchema(schema)));
await mkdir(new URL('.', target), { recursive: true });
await writeFile(target, outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true }));
