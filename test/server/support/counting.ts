import type { KyselyPlugin } from 'kysely';
import type { Store } from '../../../src/server/store/store.ts';

/** A store that counts the statements of transactions, and exchanges with the database outside of them. */
export function counting(store: Store): { store: Store; counted(): number } {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      count += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return {
    counted: () => count,
    store: {
      ...store,
      tenant: (tenant, work) => store.tenant(tenant, tx => work(tx.withPlugin(plugin))),
      sweep: work => store.sweep(tx => work(tx.withPlugin(plugin))),
      batch(tenant, statements) {
        count += statements.length;
        return store.batch(tenant, statements);
      },
      exchange(tenant, first, then) {
        count += 1;
        return store.exchange(tenant, first, then);
      },
    },
  };
}
