import {
  type Compilable,
  type CompiledQuery,
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { Tables } from './tables.ts';

/** Builds statements; the store sends them. */
export const dialect: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: db => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

export const builder: Kysely<Tables> = new Kysely<Tables>({ dialect });

/** Placeholder of a value while a statement is built. */
class Placeholder {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/**
 * Builds a statement once, at its first use, and reuses it with other values: building takes longer than sending.
 * `build` gets placeholders: it can pass values on, not read them.
 */
export function statement<Values extends object, Row = unknown>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
): (values: Values) => CompiledQuery<Row> {
  let built: CompiledQuery<Row> | undefined;
  return values => {
    built ??= build(builder, new Proxy({} as Values, { get: (_, name) => new Placeholder(name) })).compile();
    const parameters = built.parameters.map(each =>
      each instanceof Placeholder ? values[each.name as keyof Values] : each,
    );
    return { ...built, parameters };
  };
}
