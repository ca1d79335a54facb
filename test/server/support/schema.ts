/** Runs a query and resolves with its rows. */
type Query = (sql: string) => Promise<Record<string, unknown>[]>;

/** Objects of the app's schema, one per line, without names that a server version generates. */
const QUERIES = [
  `select 'column ' || table_schema || '.' || table_name || '.' || column_name || ' ' || data_type || ' ' || udt_name
     || ' ' || is_nullable || ' ' || coalesce(column_default, '-') || ' ' || is_generated as line
   from information_schema.columns where table_schema = 'public'`,
  `select 'index ' || indexdef as line from pg_indexes where schemaname = 'public'`,
  // Since version 18, "not null" is a constraint too; the columns above have it already.
  `select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as line
   from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'`,
  `select 'policy ' || tablename || ' ' || policyname || ' ' || permissive || ' ' || cmd || ' ' || roles::text
     || ' using ' || coalesce(qual, '-') || ' check ' || coalesce(with_check, '-') as line
   from pg_policies where schemaname = 'public'`,
  `select 'table ' || oid::regclass || ' ' || relkind::text || ' row security ' || relrowsecurity || ' forced ' || relforcerowsecurity
   as line from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S')`,
  `select 'grant ' || table_schema || '.' || table_name || ' ' || grantee || ' ' || privilege_type as line
   from information_schema.role_table_grants where table_schema = 'public' and grantee = 'checklist_app'`,
  `select 'function ' || oid::regprocedure || ' ' || pg_get_functiondef(oid) as line
   from pg_proc where pronamespace = 'public'::regnamespace`,
  `select 'type ' || t.typname || ' ' || coalesce(string_agg(e.enumlabel, ',' order by e.enumsortorder), '') as line
   from pg_type t join pg_enum e on e.enumtypid = t.oid
   where t.typnamespace = 'public'::regnamespace group by t.typname`,
];

/** The schema of a database as sorted lines, comparable between databases. */
export async function schemaOf(query: Query): Promise<string[]> {
  const lines: string[] = [];
  for (const sql of QUERIES) for (const { line } of await query(sql)) lines.push(String(line));
  return lines.sort((a, b) => (a < b ? -1 : 1));
}
