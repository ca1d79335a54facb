/** One step of the schema. PostgreSQL 15 and up. */
export interface Migration {
  name: string;
  /** Tables that it creates. Each has a column `tenant`: only the transaction's tenant is readable and writable. */
  tables: readonly string[];
  statements: readonly string[];
}

/** Statements for row-level security, which isolates a table's tenants. */
export const isolation = (table: string): string[] => [
  `alter table ${table} enable row level security`,
  `alter table ${table} force row level security`,
  `create policy own on ${table} using (tenant = current_setting('app.tenant', true))`,
];
