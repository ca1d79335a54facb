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

/** For building statements only: sending them is for the store. */
export const dialect: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: db => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

/** Builds statements. */
export const builder: Kysely<Tables> = new Kysely<Tables>({ dialect });

/** Stands for a value while a statement is built. */
class StandIn {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/**
 * A statement that is built once, at its first use, and then given other values each time: building takes longer than
 * sending. `build` gets something that stands for each value, so it may pass them on and not look at them.
 */
export function statement<Values extends object, Row = unknown>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
): (values: Values) => CompiledQuery<Row> {
  let built: CompiledQuery<Row> | undefined;
  return values => {
    built ??= build(builder, new Proxy({} as Values, { get: (_, name) => new StandIn(name) })).compile();
    const parameters = built.parameters.map(each =>
      each instanceof StandIn ? values[each.name as keyof Values] : each,
    );
    return { ...built, parameters };
  };
}
