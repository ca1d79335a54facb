import fc from 'fast-check';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { runs } from '../../run/seed.ts';
import type { TestApp } from '../support/app.ts';
import { askAs } from '../support/ask.ts';
import { add, type IssueWork, newIssue } from '../support/checklists.ts';
import { type CrashPoint, createCrashes } from '../support/crashes.ts';
import { provokes } from '../support/left-behind.ts';
import { onStore } from '../support/stores.ts';
import { endFaults, linesOf, type SyncWork, startSync } from '../support/sync.ts';
import type { Fault } from '../support/tracker.ts';

/** Refusals of the platform, in any order and several at once, in the middle of synchronisation. */

const isOf = (issue: string, { path }: Parameters<Fault>[0]) => path.startsWith(`/rest/api/2/issue/${issue}`);
const refusal = (status: number) => new Response('{}', { status });

/** What a site may refuse; each answers a call about an issue, or lets it pass. */
const denials = {
  /** No administration of the project: see `isRestricted` of the tracker. */
  restricted: () => undefined,
  /** Changelogs of many issues are closed. */
  closedChangelogs: (_, call) => (call.path === '/rest/api/3/changelog/bulkfetch' ? refusal(403) : undefined),
  /** A data security policy, which may answer either. */
  blocked: (issue, call) => (isOf(issue, call) ? refusal(403) : undefined),
  hidden: (issue, call) => (isOf(issue, call) ? refusal(404) : undefined),
  archived: (issue, call) => (call.method === 'PUT' && isOf(issue, call) ? refusal(400) : undefined),
  deniedWrites: (issue, call) => (call.method === 'PUT' && isOf(issue, call) ? refusal(403) : undefined),
  deniedSwaps: (_, call) => (call.path.startsWith('/rest/api/3/issue/properties/') ? refusal(400) : undefined),
} satisfies Record<string, (issue: string, call: Parameters<Fault>[0]) => Response | undefined>;
type Denial = keyof typeof denials;
const names = Object.keys(denials) as Denial[];

onStore(use => {
  let it: TestApp;
  let work: SyncWork;
  /** A second site on the same database, which refuses nothing. */
  let other: Awaited<ReturnType<typeof startSync>>;
  let crashes: ReturnType<typeof createCrashes>;
  beforeAll(async () => {
    crashes = createCrashes(use().store);
    ({ it, work } = await startSync({ ...use(), store: crashes.store }));
    crashes.watch(it.tracker);
    other = await startSync(use());
    return () => Promise.all([it.app.close(), other.it.app.close()]);
  });
  afterEach(() => endFaults(it));
  const run = { signal: new AbortController().signal, lastTry: false };
  const sweep = () => it.jobs.sweep({ tenant: it.tenant.id }, run);

  afterEach(async () => {
    Object.assign(it.tracker, { isRestricted: false });
    await use().raw('delete from sync where missing is not null');
  });

  /** Sets what is refused from now on. */
  function deny(issue: IssueWork, denied: readonly Denial[]): void {
    it.tracker.isRestricted = denied.includes('restricted');
    it.tracker.faults = denied.map(name => call => denials[name](issue.id, call));
  }

  /** Kills the process at a step of its work, if that has so many, and starts it again. */
  async function kill(step: number, point: CrashPoint): Promise<void> {
    await crashes.at(step, { point, staysDown: true }, it.settled);
    it.background.lose();
    await it.sync.recoverTenant(it.tenant.id);
  }

  /** Lets the time of each later try come. */
  async function pass(issue: IssueWork): Promise<void> {
    await use().raw('update sync set property_retry = now(), field_retry = now() where issue = $1', [issue.id]);
    it.background.pass();
    await it.settled();
  }

  test('an issue that the tracker hides while its copies are due is counted for administrators', async () => {
    const issue = await newIssue(it);
    await issue.edit(add('first'));
    await it.settled();
    it.tracker.granted.set('admin', ['ADMINISTER']);
    const refused = () => askAs(it, 'admin').ask('{ storedData { refused { copy reason issues } } }');
    deny(issue, ['hidden']);
    await issue.edit(add('second'));
    await it.settled();
    expect(await refused()).toEqual({ refused: [{ copy: 'property', reason: 'hidden', issues: 1 }] });
    deny(issue, []);
    await issue.edit(add('third'));
    await it.settled();
    expect(await refused()).toEqual({ refused: [] });
  });

  test('the checklist stays usable, no work is repeated without end, and the copies are written afterwards', async () => {
    provokes({ errors: /CopyRefused/, retries: true });
    const step = fc.record({
      denied: fc.uniqueArray(fc.constantFrom(...names)),
      killed: fc.option(fc.record({ at: fc.nat(20), point: fc.constantFrom('before', 'after') })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async steps => {
        const issue = await newIssue(it);
        const elsewhere = await other.work.settledIssue('- first');
        await issue.edit(add('first'));
        await it.settled();
        const expected = ['- first'];
        for (const [index, { denied, killed }] of steps.entries()) {
          deny(issue, denied);
          const calls = it.tracker.calls.length;
          for (const each of [issue, elsewhere]) await each.edit(add(`step ${index}`));
          expected.push(`- step ${index}`);
          await work.event(issue);
          if (killed) await kill(killed.at, killed.point);
          // Rejects where a job fails, or where jobs do not end.
          await it.settled();
          await sweep();
          await it.settled();
          expect(linesOf((await issue.read()).text)).toEqual(
            expected.toSorted((one, other) => one.localeCompare(other)),
          );
          const own = it.tracker.calls.slice(calls).filter(({ path }) => path.includes(`/issue/${issue.id}`));
          expect(own.length).toBeLessThan(killed ? 30 : 15);
        }
        // The other site does not notice.
        const undisturbed = (await elsewhere.read()).text;
        expect(linesOf(undisturbed)).toEqual(linesOf((await issue.read()).text));
        await other.work.quiet(elsewhere, undisturbed);
        deny(issue, []);
        await sweep();
        await pass(issue);
        await work.quiet(issue, (await issue.read()).text);
      }),
      runs(100),
    );
  });
});
