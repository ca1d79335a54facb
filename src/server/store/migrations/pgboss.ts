import PgBoss from 'pg-boss';

/** The schema that pg-boss keeps its tables in, out of reach of the tenants' role. */
export const BOSS_SCHEMA = 'pgboss';

/** Creates that schema. Left to itself, pg-boss fails where two processes create it at once; later versions of it migrate it themselves. */
export const construction = PgBoss.getConstructionPlans(BOSS_SCHEMA)
  .replace(/^\s*BEGIN;/, '')
  .replace(/COMMIT;\s*$/, '');
