/** One step of the schema. PostgreSQL 15 and up. */
export interface Migration {
  name: string;
  /** Tables that it makes, each with a column `tenant`: readable and writable for the tenant that the transaction was opened for. */
  tables: readonly string[];
  statements: readonly string[];
}

/** Row-level security that keeps a table's tenants apart. */
export const isolation = (table: string): string[] => [
  `alter table ${table} enable row level security`,
  `alter table ${table} force row level security`,
  `create policy own on ${table} using (tenant = current_setting('app.tenant', true))`,
];
