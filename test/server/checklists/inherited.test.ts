import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { editionKey } from '../../../src/domain/edition.ts';
import { storageKey } from '../../../src/domain/storage.ts';
import { runs } from '../../run/seed.ts';
import { appOf, startApp } from '../support/app.ts';
import { add, newIssue, tick, update } from '../support/checklists.ts';
import { provokes } from '../support/left-behind.ts';
import { onStore } from '../support/stores.ts';
import { isPropertyWrite, OWN_FIELD, RIVAL_FIELD } from '../support/tracker.ts';

const FREE = storageKey('checklist', editionKey('free', true));

/** A checklist as the Free edition stores it. */
const stored = (text: string, name = 'Checklists') => ({
  ...{ v: 1, epoch: 'of-free', seq: 7, name, text },
  progress: { total: 1, checked: 0, percent: 0, mandatoryOpen: 0 },
});
/** The base of a client that has read nothing. */
const blank = { epoch: '', seq: 0, hash: 'never-seen', text: '' };

onStore(use => {
  const it = appOf(beforeEach, () => startApp(use().store));

  const tenantOf = async () => {
    const tenant = await it.tenants.find(it.tenant.id);
    if (!tenant) throw new Error('Not installed.');
    return tenant;
  };
  const issueWith = async (value: unknown, fields: Record<string, unknown> = {}) => {
    const issue = await newIssue(it);
    const found = it.tracker.issues.get(issue.id);
    if (found) found.properties[FREE] = value;
    Object.assign(found?.fields ?? {}, fields);
    const kinds = async () =>
      (await issue.checklists.history(issue.id, { first: 20, filter: {} })).entries.map(({ kind }) => kind).reverse();
    return { ...issue, kinds, free: () => found?.properties[FREE] };
  };

  test('before the takeover, a read returns the checklist of the Free edition', async () => {
    const issue = await issueWith(stored('# Release\r\n+ Tag it', 'Release list'), { [RIVAL_FIELD]: '- Lags behind' });
    expect(await issue.read()).toMatchObject({ name: 'Release list', text: '# Release\n+ Tag it', seq: 1 });
    // A read writes nothing.
    expect(await issue.stored()).toBeUndefined();
    const [summary] = await issue.checklists.summaries([issue.id]);
    expect(summary?.progress).toMatchObject({ total: 1, checked: 1 });
    for (const odd of ['', stored(' \n'), { of: 'somebody else' }, 7]) {
      const other = await issueWith(odd, { [OWN_FIELD]: '- Of the field' });
      expect(await other.read()).toMatchObject({ source: 'PROPERTY', text: '- Of the field' });
    }
  });

  test('the first change takes the checklist over, and the history names its origin', async () => {
    const issue = await issueWith(stored('- Tag it\n- Tell support', 'Release list'));
    const before = structuredClone(issue.free());
    const { checklist } = await issue.edit(tick(0, 'Tag it'));
    expect(checklist).toMatchObject({ name: 'Release list', text: '+ Tag it\n- Tell support' });
    expect([await issue.text(), await issue.kinds()]).toEqual([
      '+ Tag it\n- Tell support',
      ['inherited', 'setItemStatus'],
    ]);
    await issue.edit(update('- Only this'));
    // Taken over once: deleted rows stay deleted, and the Free edition keeps its copy.
    Object.assign(issue.free() as object, { text: '- Written in Free later' });
    expect((await issue.edit(add('- One more'))).checklist.text).toBe('- Only this\n- One more');
    expect(before).toMatchObject({ text: '- Tag it\n- Tell support' });
  });

  test('a text typed without knowledge of it is merged with it', async () => {
    const issue = await issueWith(stored('- Of Free'));
    await issue.change(update('- Of Pro'), blank);
    expect((await issue.text()).split('\n').sort()).toEqual(['- Of Free', '- Of Pro']);
    const cleared = await issueWith(stored('- Of Free'));
    await cleared.edit({ kind: 'clearChecklist' });
    expect((await cleared.read()).text.trim()).toBe('');
  });

  test('every row of both editions is there after the merge', async () => {
    const rows = fc.uniqueArray(
      fc.constantFrom('- a', '+ a', '- ! b', 'x c', '# H', '## I', '~ d', '- [~accountid:x] e'),
      {
        minLength: 1,
      },
    );
    const law = fc.asyncProperty(rows, rows, fc.boolean(), async (theirs, ours, first) => {
      const issue = await issueWith(stored(theirs.join('\n')));
      const { takeOver } = it.sync.of(await tenantOf());
      if (first) expect(await takeOver(issue.id)).toMatchObject({ isEqual: true });
      await issue.change(update(ours.join('\n')), blank);
      if (!first) expect(await takeOver(issue.id)).toMatchObject({ isEqual: true });
      // Equal rows become one, with the later values.
      const later = ours.filter(row => !theirs.includes(row)).map(row => row.slice(1));
      const earlier = theirs.filter(row => !later.includes(row.slice(1)));
      expect(new Set((await issue.text()).split('\n'))).toEqual(new Set([...earlier, ...ours]));
      expect((await issue.kinds()).filter(kind => kind === 'inherited')).toHaveLength(1);
    });
    await fc.assert(law, runs(20));
  });

  test('two concurrent first changes are both based on it', async () => {
    const issue = await issueWith(stored('- Of Free'));
    const seen = await issue.read();
    await Promise.all([issue.change(add('- One'), seen), issue.change(add('- Two'), seen)]);
    expect((await issue.text()).split('\n').sort()).toEqual(['- Of Free', '- One', '- Two']);
    expect((await issue.kinds()).filter(kind => kind === 'inherited')).toHaveLength(1);
  });

  test("a different text in the app's field is merged, with later changes in the field", async () => {
    provokes({ retries: true });
    const apart = await issueWith(stored('- Of Free'), { [OWN_FIELD]: '- Written into our field' });
    expect((await apart.read()).text.split('\n').sort()).toEqual(['- Of Free', '- Written into our field']);
    await apart.edit(add('- More'));
    expect((await apart.text()).split('\n').sort()).toEqual(['- More', '- Of Free', '- Written into our field']);
    expect(await apart.kinds()).toEqual(['inherited', 'foreignField', 'addChecklistItemsFromText']);

    const made = await issueWith(stored('- One\n- Two\n- Three'), { [OWN_FIELD]: '- One\n+ Two\n- Three' });
    expect((await made.read()).text).toBe('- One\n+ Two\n- Three');

    const full = await issueWith(stored('- Of Free'), { [OWN_FIELD]: `- ${'"'.repeat(16_500)}` });
    expect((await full.read()).text).toBe('- Of Free');
    await full.edit(add('- More'));
    expect(await full.text()).toBe('- Of Free\n- More');
    await it.settled();
    expect((await full.read()).notices).toEqual([expect.stringMatching(/too large for a checklist/)]);
  });

  test('the property of this edition wins, and the text of the Free edition is kept in the history', async () => {
    const issue = await issueWith(stored('- Of Free'));
    await issue.store('- Of a script');
    expect((await issue.read()).text).toBe('- Of a script');
    await issue.edit(add('- More'));
    expect(await issue.text()).toBe('- Of a script\n- More');
    const { entries } = await issue.checklists.history(issue.id, { first: 20, filter: {} });
    expect(entries.map(({ kind }) => kind)).toEqual(['addChecklistItemsFromText', 'foreignProperty', 'inherited']);
    const oldest = entries.at(-1);
    expect(oldest && (await issue.checklists.revision(issue.id, oldest)).text).toBe('- Of Free');
  });

  test('a crash during the first write loses nothing and takes nothing over twice', async () => {
    const issue = await issueWith(stored('- Of Free'));
    const seen = await issue.read();
    const first = await issue.change(add('- Mine'), seen, 'mine');
    // The write is done, its answer is lost, and the process ends.
    it.tracker.lost.push(call => isPropertyWrite({ ...call, body: undefined }));
    expect(await it.background.work(it.jobs)).toHaveLength(1);
    it.tracker.lost = [];
    expect(await issue.change(add('- Mine'), seen, 'mine')).toEqual(first);
    expect(await issue.text()).toBe('- Of Free\n- Mine');
    expect(await issue.kinds()).toEqual(['inherited', 'addChecklistItemsFromText']);
  });
});
