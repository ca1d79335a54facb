import PgBoss from 'pg-boss';
import type { Migration } from './migration.ts';

/** The schema that pg-boss keeps its tables in, out of reach of the tenants' role. */
export const BOSS_SCHEMA = 'pgboss';

// Left to itself, pg-boss fails where two processes make its schema at once. Later versions of it change it themselves.
const construction = PgBoss.getConstructionPlans(BOSS_SCHEMA)
  .replace(/^\s*BEGIN;/, '')
  .replace(/COMMIT;\s*$/, '');

export const pgboss: Migration = { name: '2026-11-pgboss', tables: [], statements: [construction] };
