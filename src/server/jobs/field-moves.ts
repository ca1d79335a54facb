import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import { edition } from '../../domain/edition.ts';
import { progressFields, textField } from '../../platform/product.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import type { Tenant, Tenants } from '../platform/tenants.ts';
import { readFieldMove } from '../platform/tracker/field-moves.ts';
import type { Trackers } from '../platform/tracker/trackers.ts';
import { eachSite } from '../queue/each.ts';
import type { Handlers, Queue } from '../queue/queue.ts';
import { startDelayOf } from '../quota/hours.ts';
import { background } from '../quota/work.ts';
import type { Store } from '../store/store.ts';

/** Fields of the Connect add-on whose data the platform moves to Forge, by their modules. */
export const movedFields: readonly string[] = [textField.key, ...progressFields.map(({ key }) => key)];

const CHECK_INTERVAL_MS = 6 * 60 * 60_000;
const OVERDUE_HOURS = 24;

export interface FieldMovesOptions {
  store: Store;
  tenants: Tenants;
  queue: Pick<Queue, 'restore'>;
  trackerOf: Trackers;
  metrics: Metrics;
  onError(error: unknown): void;
}

/** Watches the platform's tasks that move the data of Connect's fields: a field that was not moved is empty. */
export interface FieldMoves {
  jobs: Pick<Handlers, 'watch-fields'>;
  /** Enqueues the next look at each site that has moved from Connect and has unfinished tasks. */
  recover(): Promise<void>;
}

/** Whether a site was one of Connect before: it keeps the tenant of its client key. */
const hasMoved = ({ id, forge }: Tenant): boolean => forge !== undefined && forge.cloudId !== id;

/** Milliseconds until the next look at a site's tasks; `undefined` if all of them are complete. */
async function waitOf(store: Store, tenant: string): Promise<number | undefined> {
  const { rows } = await store.tenant(tenant, tx =>
    sql<{ complete: number; age: number | null }>`
      select count(*) filter (where state = 'COMPLETE')::integer as complete,
        (extract(epoch from now() - max(looked)) * 1000)::float8 as age
      from field_move where tenant = ${tenant}`.execute(tx),
  );
  const { complete = 0, age = null } = rows[0] ?? {};
  if (complete === movedFields.length) return undefined;
  return age === null ? startDelayOf(tenant, 'fields') : Math.max(0, CHECK_INTERVAL_MS - age);
}

/** Counts the tasks of all sites that have failed or take too long. */
function countOverdue(store: Pick<Store, 'sweep'>, metrics: Metrics): void {
  const overdue: Gauge = new Gauge({
    name: 'field_moves_overdue',
    help: "Fields of Connect whose data the platform has not moved in time, by the platform's task",
    registers: [metrics.registry],
    collect: metrics.asking('field_moves_overdue', async () => {
      const { rows } = await store.sweep(tx =>
        sql<{ overdue: number }>`select count(*)::integer as overdue from field_move
          where tenant in (select tenant from tenant where enabled) and (state in ('FAILED', 'DEAD', 'CANCELLED')
            or state not in ('COMPLETE', 'NONE') and since < now() - make_interval(hours => ${OVERDUE_HOURS}::int))`.execute(
          tx,
        ),
      );
      overdue.set(rows[0]?.overdue ?? 0);
    }),
  });
}

export function createFieldMoves(options: FieldMovesOptions): FieldMoves {
  const { store, tenants, queue, trackerOf, metrics, onError } = options;
  countOverdue(store, metrics);

  async function look(tenant: Tenant): Promise<void> {
    const tracker = trackerOf(tenant, background('job'));
    for (const field of movedFields) {
      const state = await readFieldMove(tracker, edition.key, field);
      await store.tenant(tenant.id, tx =>
        // A task that begins has its whole time, also after another one.
        sql`insert into field_move (tenant, field, state) values (${tenant.id}, ${field}, ${state})
          on conflict (tenant, field) do update set state = excluded.state, looked = now(),
            since = case when field_move.state in ('COMPLETE', 'NONE', 'FAILED', 'DEAD', 'CANCELLED')
              then now() else field_move.since end`.execute(tx),
      );
    }
  }

  return {
    jobs: {
      async 'watch-fields'({ tenant: id }) {
        const tenant = await tenants.find(id);
        if (tenant && hasMoved(tenant)) await look(tenant);
      },
    },
    async recover() {
      await eachSite('search for moving fields', await store.tenants(), onError, async id => {
        const tenant = await tenants.find(id);
        if (!tenant || !hasMoved(tenant)) return;
        const after = await waitOf(store, id);
        if (after !== undefined) await queue.restore('watch-fields', { tenant: id }, { after, key: 'fields' });
      });
    },
  };
}
