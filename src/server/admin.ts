import { sleep } from '../domain/timing.ts';
import { createMetrics } from './common/metrics.ts';
import { BadConfig, type Config, openVault, readConfig, storeOf } from './config.ts';
import { StoreUnavailable } from './errors/unavailable.ts';
import { pruneTenant } from './maintenance.ts';
import { type Answer, type Asked, type Operated, readArguments } from './operators/program.ts';
import { said } from './operators/texts.ts';
import { askersOf } from './platform/forge/forge.ts';
import { TENANT_KEPT } from './platform/known-tenants.ts';
import { createTenants } from './platform/tenants.ts';
import { createTrackers } from './platform/tracker/trackers.ts';
import { createQuota } from './quota/quota.ts';
import { background } from './quota/work.ts';
import { isRefusal, openReachable } from './store/reachable.ts';

/** Exit codes of the start (sysexits.h): the configuration cannot work, the database does not answer. */
const EX_CONFIG = 78;
const EX_UNAVAILABLE = 69;
/** Nothing was done, for the reason that is printed. */
const FAILED = 1;
/** Most milliseconds of a statement: sizes are added up over whole tables. */
const STATEMENT_TIMEOUT = 600_000;

/** What the commands work with. The tracker is asked within the same quota as by the servers. */
async function operate(config: Config, work: (operated: Operated) => Promise<Answer>): Promise<Answer> {
  const onError = (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : 'unknown'}\n`);
  };
  const at = storeOf(config);
  const store = await openReachable({ ...at, limits: { ...at.limits, statementTimeout: STATEMENT_TIMEOUT }, onError });
  try {
    const vault = await openVault(config);
    const metrics = createMetrics();
    const quota = createQuota({ store, metrics, onError, most: config.QUOTA_POINTS });
    const trackerOf = createTrackers({ metrics, quota, askers: askersOf(config, { store, vault }) });
    const keeping = {
      retention: { days: config.REVISION_DAYS, count: config.REVISION_COUNT },
      keepUninstalled: config.KEEP_UNINSTALLED_DAYS,
    };
    // What the servers have used of the hour, and the stops that the tracker told them of.
    await quota.exchange();
    const answer = await work({
      store,
      vault,
      find: createTenants(store, vault).find,
      tracker: tenant => trackerOf(tenant, background('sweep')),
      prune: tenant => pruneTenant(store, tenant, keeping),
      mostPoints: config.QUOTA_POINTS,
      now: Date.now,
      settled: () => sleep(TENANT_KEPT + config.DATABASE_STATEMENT_TIMEOUT),
    });
    await quota.exchange();
    return answer;
  } finally {
    await store.close();
  }
}

/** The answer to an error of the settings or the database; `undefined` for others, which are bugs. */
function refusalOf(error: unknown): Answer | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof StoreUnavailable)
    return { output: '', errors: `${said.notOpened(error.message)}\n`, code: EX_UNAVAILABLE };
  const isOfSettings = error instanceof BadConfig || isRefusal(error);
  // Errors of files and of the database have a code.
  if (!isOfSettings && !('code' in error)) return undefined;
  return { output: '', errors: `${error.message}\n`, code: isOfSettings ? EX_CONFIG : FAILED };
}

async function answerTo(asked: Asked): Promise<Answer> {
  if ('answer' in asked) return asked.answer;
  try {
    return await operate(readConfig(process.env), asked.run);
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return refusal;
  }
}

const { output, errors, code } = await answerTo(readArguments(process.argv.slice(2)));
process.stderr.write(errors);
// Not before all is written, nor after what may still go on, such as the making of a folder.
process.stdout.write(output, () => process.exit(code));
