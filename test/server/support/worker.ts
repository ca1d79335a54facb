import { createMetrics } from '../../../src/server/monitoring/metrics.ts';
import { createQueue } from '../../../src/server/queue/create.ts';
import { openStore } from '../../../src/server/store/open.ts';

/** A process that claims a job, reports it and never finishes: to be killed. */
const onError = (error: unknown) => {
  throw error;
};
const store = await openStore({ databaseUrl: process.argv[2], folder: '', onError });
const queue = createQueue({ store, metrics: createMetrics(), onError, poll: 50 });
queue.start({
  sync: ({ issue }) => {
    process.stdout.write(`taken ${issue}\n`);
    return new Promise(() => {});
  },
});
