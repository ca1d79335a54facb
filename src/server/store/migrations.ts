import { baseline } from './migrations/baseline.ts';
import type { Migration } from './migrations/migration.ts';

/** Run in order, each once; released ones are never edited. */
export const migrations: readonly Migration[] = [baseline];

/** Names of all migrations, and all tables in the order of their creation. */
export const migrationNames: readonly string[] = migrations.map(({ name }) => name);
export const tableNames: readonly string[] = migrations.flatMap(({ tables }) => tables);
/** Tables without lasting data: queued jobs are restored at the next start, the rest expires within hours. */
const transientTables = ['forge_asker', 'queue', 'quota_use', 'quota_fact', 'watch', 'used_token'];
/** Tables with lasting data of tenants. */
export const contentTables: readonly string[] = tableNames.filter(name => !transientTables.includes(name));
