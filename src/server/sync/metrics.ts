import { Gauge } from 'prom-client';
import type { Metrics } from '../common/metrics.ts';
import type { Store } from '../store/store.ts';
import { countRefused } from './records.ts';
import { copyRefusals } from './refusals.ts';

/** Counts the copies of all tenants that are not written. */
export function countRefusedCopies(store: Pick<Store, 'sweep'>, metrics: Metrics): void {
  const refused: Gauge = new Gauge({
    name: 'copies_refused',
    help: 'Copies of checklists that are not written, by copy and reason; each is tried again',
    labelNames: ['copy', 'reason'],
    registers: [metrics.registry],
    collect: metrics.asking('copies_refused', async () => {
      const { rows } = await store.sweep(tx => countRefused().execute(tx));
      for (const copy of ['property', 'field']) {
        for (const reason of copyRefusals) {
          const row = rows.find(each => each.copy === copy && each.reason === reason);
          refused.set({ copy, reason }, row?.issues ?? 0);
        }
      }
    }),
  });
}
