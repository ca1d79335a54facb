import { beforeEach, expect, test } from 'vitest';
import { parseRegistry } from '../../../src/domain/registry.ts';
import { storageKey } from '../../../src/domain/storage.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { askAs } from '../support/ask.ts';
import { EDITOR, newIssue, update } from '../support/checklists.ts';
import { createDrivenQueue } from '../support/driven-queue.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { jobsOf } from '../support/jobs.ts';
import { onStore } from '../support/stores.ts';

/** An uninstallation while jobs run, or work is due. */
onStore(use => {
  let it: TestApp;
  let errors: unknown[];
  beforeEach(async () => {
    errors = [];
    const { store, raw } = use();
    await raw('delete from queue');
    it = await startApp(
      ...([store, {}, undefined, undefined, undefined, undefined] as const),
      createDrivenQueue(
        store,
        statement => raw(statement),
        error => errors.push(error),
      ),
    );
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    return () => it.app.close();
  });

  /** Uninstalls the app at the next call for an issue. */
  function uninstallAtCall() {
    it.tracker.meanwhile = [
      call => {
        if (!call.path.includes('/issue/')) return undefined;
        it.tracker.meanwhile = [];
        return it.tenants.uninstall(it.tenant.id);
      },
    ];
  }

  test.each(['an event', 'a job over the site'])('is no error of the log, after %s', async cause => {
    const issue = await newIssue(it);
    await issue.edit(update('- a'));
    await it.settled();
    const properties = it.tracker.issues.get(issue.id)?.properties ?? {};
    for (const key of Object.keys(properties)) properties[key] = '- a\n- theirs';
    const tenant = await it.tenants.find(it.tenant.id);
    if (!tenant) throw new Error('Not installed.');
    if (cause === 'an event')
      await it.sync.noticed({ tenant, account: 'eve' }, issue.id, {
        kind: 'property',
        mayHide: false,
        isOfChecklist: true,
      });
    else await jobsOf(it, 'admin').synchronize();
    const before = it.logged.length;
    uninstallAtCall();
    await it.settled();
    expect(await it.tenants.find(it.tenant.id)).toBeUndefined();
    await use().raw('update queue set due = now()');
    await it.settled();
    expect(errors).toEqual([]);
    expect(it.logged.slice(before).filter(line => line.includes('"level":50'))).toEqual([]);
    expect(await use().raw('select name from queue where failed is not null or tries > 0')).toEqual([]);
  });

  test('makes the work go on after an installation that was due before it', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a'));
    await it.settled();
    await askAs(it, 'admin').mutate('createStatus', { name: 'On hold', color: 'red', checked: false });
    await issue.edit(update('- a\n- [On hold] b'));
    await it.tenants.uninstall(it.tenant.id);
    await it.settled();
    await it.tenants.install({ ...it.tenant, url: 'https://site.example.net' });
    await it.wideJobs.installed(it.tenant.id);
    await it.settled();
    expect(await issue.text()).toBe('- a\n- [On hold] b');
    const statuses = parseRegistry(it.tracker.projects.get(PROJECT)?.[storageKey('statuses')]);
    expect(statuses?.map(({ slug }) => slug)).toContain('on_hold');
  });
});
