import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { readConfig } from '../../src/server/app/config/config.ts';
import { checkSite } from '../../src/server/operators/check.ts';
import { operate } from '../../src/server/operators/operate.ts';
import { namedTenants } from '../../src/server/operators/sites.ts';
import type { Programs } from './programs.ts';
import type { Site } from './site.ts';

/** Judges tests by what they leave behind: errors of pages and servers, failed jobs, copies that stay behind. */

const ERROR_LEVEL = 50;

/** By test file, since files share their modules. */
const provoked = new Map<string | undefined, RegExp[]>();

const provokedHere = (): readonly RegExp[] => provoked.get(expect.getState().testPath) ?? [];

/** A busy server lets a site wait that has more than its share of requests; its client repeats them. */
const OF_LOAD = /status of 429 .*\/graphql/;

/** Says what the tests of this file make fail on purpose; any other error of a page or a server fails the test. */
export const provokes = (errors: RegExp): void =>
  void provoked.set(expect.getState().testPath, [...provokedHere(), errors]);

/** Returns a function that reads a server's errors from its log, those since the last reading. */
function readErrors({ output }: Pick<Programs['addon'], 'output'>): () => string[] {
  let read = output().length;
  return () => {
    const lines = output().slice(read).split('\n');
    // The last line may be incomplete.
    read = output().length - (lines.pop()?.length ?? 0);
    return lines.filter(line => line.startsWith('{"level":') && JSON.parse(line).level >= ERROR_LEVEL);
  };
}

/** Tenants of earlier files, whose tracker is gone: it had the same address. */
const past = new Set<string>();

/** Rejects where a job failed, or something that is stored differs from the texts and nothing would repair it. */
async function checkStored({ addon, tracker }: Programs): Promise<void> {
  const { host } = new URL(tracker.url);
  await operate(
    readConfig(addon.env),
    async ({ store, find, tracker: trackerOf }) => {
      const named = await namedTenants(store);
      const present = named.find(({ id, name, installed }) => name === host && installed && !past.has(id));
      for (const { id, name } of named) if (name === host) past.add(id);
      const tenant = present && (await find(present.id));
      // Without one, nothing would be looked at.
      if (!tenant) throw new Error(`No installed site of ${host} is left to look at: ${JSON.stringify(named)}`);
      // A change may be on its way while it is compared.
      const check = async () => {
        const { code, text } = await checkSite(
          { store, tenant, tracker: trackerOf(tenant) },
          { project: undefined, repair: false },
        );
        expect(code, text).toBe(0);
      };
      await vi.waitFor(check, { timeout: 30_000, interval: 500 });
      await store.tenant(tenant.id, async tx => {
        const { rows: failed } = await sql`select name, key, failed from queue where failed is not null`.execute(tx);
        expect(failed, 'failed jobs').toEqual([]);
        // Remaining jobs would be tried at a tracker that is gone.
        await sql`delete from queue`.execute(tx);
        await sql`update tenant set enabled = false`.execute(tx);
      });
    },
    error => {
      throw error;
    },
  );
}

/** Looks at what the tests of a file leave behind in a site and its servers. */
export function watchSite(programs: Programs, { browserErrors }: Site) {
  const { addon, free } = programs;
  // A server on an embedded database, which only its process can read, goes on with sites of earlier files.
  const hasDatabase = Boolean(addon.env.DATABASE_URL);
  const logs = hasDatabase ? [addon, ...(free ? [free] : [])].map(readErrors) : [];
  return {
    /** After each test: no error in a page's console or in a server's log that the file did not name. */
    afterTest(): void {
      const errors = [...browserErrors.splice(0), ...logs.flatMap(log => log())];
      const left = errors.filter(error => ![OF_LOAD, ...provokedHere()].some(pattern => pattern.test(error)));
      expect(left, 'errors that the test left behind').toEqual([]);
    },
    /** After the last test, while the tracker answers. */
    async afterFile(): Promise<void> {
      if (hasDatabase) await checkStored(programs);
    },
  };
}
