import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { runs } from '../../run/seed.ts';
import { askAs } from '../support/ask.ts';
import { add, type IssueWork, newIssue } from '../support/checklists.ts';
import { provokes } from '../support/left-behind.ts';
import { linesOf, onSync } from '../support/sync.ts';
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

onSync(({ use, it, work }) => {
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
    const steps = fc.array(fc.uniqueArray(fc.constantFrom(...names)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(steps, async sequence => {
        const issue = await newIssue(it);
        await issue.edit(add('first'));
        await it.settled();
        const expected = ['- first'];
        for (const [index, denied] of sequence.entries()) {
          deny(issue, denied);
          const calls = it.tracker.calls.length;
          await issue.edit(add(`step ${index}`));
          expected.push(`- step ${index}`);
          await work.event(issue);
          // Rejects where a job fails, or where jobs do not end.
          await it.settled();
          await sweep();
          await it.settled();
          expect(linesOf((await issue.read()).text)).toEqual(
            expected.toSorted((one, other) => one.localeCompare(other)),
          );
          const own = it.tracker.calls.slice(calls).filter(({ path }) => path.includes(`/issue/${issue.id}`));
          expect(own.length).toBeLessThan(15);
        }
        deny(issue, []);
        await sweep();
        await pass(issue);
        await work.quiet(issue, (await issue.read()).text);
      }),
      runs(100),
    );
  });
});
