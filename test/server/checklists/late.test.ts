import { beforeAll, expect, test } from 'vitest';
import { storageKey } from '../../../src/domain/storage.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { add, type IssueWork, newIssue, tick, update } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';
import { silentAfterWrite } from '../support/tracker.ts';

onStore(use => {
  let it: TestApp;
  beforeAll(async () => {
    it = await startApp(use().store);
    return () => it.app.close();
  });

  /** The first write of the property gets no answer; the function lets it arrive after all. */
  function delayed(issue: IssueWork, again: 'works' | 'fails'): () => void {
    let late: unknown;
    it.tracker.faults = [
      ({ method, path, body }) => {
        if (method !== 'PUT' || !path.endsWith(`/${encodeURIComponent(storageKey('checklist'))}`)) return undefined;
        if (late !== undefined && again === 'works') return undefined;
        late ??= structuredClone(body);
        return 'down';
      },
    ];
    return () => issue.store(late);
  }

  test('a repeated write that arrives after a newer one does not undo it', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a\n- b'));
    const arrive = delayed(issue, 'works');
    await issue.edit(tick(0, 'a'));
    const { checklist } = await issue.edit(add('c'));
    arrive();
    expect(issue.text()).toBe('+ a\n- b');

    expect(await issue.read()).toMatchObject(checklist);
    await issue.edit(tick(1, 'b'));
    expect(issue.text().trim()).toBe('+ a\n+ b\n- c');
  });

  test('nor does a program that keeps only the text of it', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a\n- b'));
    const arrive = delayed(issue, 'works');
    await issue.edit(update('+ a\n+ b'));
    const { checklist } = await issue.edit(add('c'));
    arrive();
    issue.store(issue.text());

    expect(await issue.read()).toMatchObject({ text: checklist.text });
    await issue.edit(tick(1, 'b', 'todo'));
    expect(issue.text().trim()).toBe('+ a\n- b\n- c');
  });

  test('a write that was given up does not undo what came after it', async () => {
    const issue = await newIssue(it);
    const { checklist: base } = await issue.edit(update('- a\n- b'));
    const arrive = delayed(issue, 'fails');
    await expect(issue.change(add('never said to be saved'), base)).rejects.toMatchObject({
      code: 'TRACKER_UNAVAILABLE',
    });
    it.tracker.faults = [];
    const { checklist } = await issue.change(tick(0, 'a'), base);
    arrive();

    expect(await issue.read()).toMatchObject(checklist);
    await issue.change(tick(1, 'b'), checklist);
    expect(issue.text()).toBe('+ a\n+ b');
  });

  test('what somebody wrote is kept, though the last version arrives once more over it, and who took it in is killed', async () => {
    const issue = await newIssue(it);
    const { checklist: base } = await issue.edit(update('- a\n- b'));
    const ours = issue.stored();
    issue.store('- a\n- b\n- theirs');
    it.tracker.faults = [silentAfterWrite(written => issue.store(written))];
    await expect(issue.change(tick(0, 'a'), base)).rejects.toMatchObject({ code: 'TRACKER_UNAVAILABLE' });
    it.tracker.faults = [];
    expect(issue.text().trim()).toBe('+ a\n- b\n- theirs');
    issue.store(ours);
    await issue.change(tick(1, 'b'), base);
    expect(issue.text().trim()).toBe('- a\n+ b\n- theirs');
  });

  test('what somebody wrote that such a write had taken in is kept, though it arrives over it', async () => {
    const issue = await newIssue(it);
    const { checklist: base } = await issue.edit(update('- a\n- b'));
    const ours = issue.stored();
    const somebodyWrites = (text: string) => issue.store({ ...(typeof ours === 'object' && ours), text });
    const arrive = delayed(issue, 'fails');
    somebodyWrites('- a\n- b\n- seen');
    await expect(issue.change(tick(0, 'a'), base)).rejects.toMatchObject({ code: 'TRACKER_UNAVAILABLE' });
    somebodyWrites('- a\n- b\n- seen\n- seen too');
    await expect(issue.change(tick(1, 'b'), base)).rejects.toMatchObject({ code: 'TRACKER_UNAVAILABLE' });
    it.tracker.faults = [];
    arrive();
    expect(issue.text().trim()).toBe('+ a\n- b\n- seen');

    await issue.change(add('c'), base);
    expect(issue.text().trim()).toBe('- a\n- b\n- seen\n- seen too\n- c');
    // Once it is history it stays as people make it, however late that write is repeated.
    const { checklist } = await issue.edit(update('- a\n- c'));
    arrive();
    expect(await issue.read()).toMatchObject(checklist);
  });

  test.each([
    ['which came late over it, both are kept', '- a\n- b\n- edited', '- a\n- b\n- edited\n- seen\n- c'],
    ['with that in it, it is there once', '- a\n- b\n+ seen', '- a\n- b\n+ seen\n- c'],
  ])('what somebody wrote is only seen, and somebody edits an older text of ours: %s', async (_, edited, expected) => {
    const issue = await newIssue(it);
    const { checklist: base } = await issue.edit(update('- a\n- b'));
    const ours = issue.stored();
    const somebodyWrites = (text: string) => issue.store({ ...(typeof ours === 'object' && ours), text });
    delayed(issue, 'fails');
    somebodyWrites('- a\n- b\n- seen');
    await expect(issue.change(tick(0, 'a'), base)).rejects.toMatchObject({ code: 'TRACKER_UNAVAILABLE' });
    it.tracker.faults = [];
    somebodyWrites(edited);
    await issue.change(add('c'), base);
    expect(issue.text().trim().split('\n').sort()).toEqual(expected.split('\n').sort());
  });

  test('what somebody made of a text of ours that came late is taken in from that, however often we begin', async () => {
    const issue = await newIssue(it);
    const { checklist: base } = await issue.edit(update('- a\n- b'));
    const ours = issue.stored();
    const arrive = delayed(issue, 'fails');
    const unsaved = { code: 'TRACKER_UNAVAILABLE' };
    issue.store({ ...(typeof ours === 'object' && ours), text: '- a\n- b\n- seen' });
    await expect(issue.change(add('late'), base)).rejects.toMatchObject(unsaved);
    const faults = it.tracker.faults.splice(0);
    issue.store({ ...(typeof ours === 'object' && ours), text: '- a\n- b\n- seen\n- kept' });
    const { checklist: newer } = await issue.change(add('new'), base);
    arrive();
    const late = issue.stored();
    issue.store({ ...(typeof late === 'object' && late), text: `${issue.text().trim()}\n- more` });
    it.tracker.faults = faults;
    await expect(issue.change(tick(0, 'a'), newer)).rejects.toMatchObject(unsaved);
    it.tracker.faults = [];
    await issue.change(tick(1, 'b'), newer);
    expect(issue.text().trim().split('\n').sort()).toEqual(['+ b', '- a', '- kept', '- more', '- new', '- seen']);
  });

  /** A write of ours that was given up, and came to stand there over a newer version. */
  async function overrun() {
    const issue = await newIssue(it);
    const { checklist: base } = await issue.edit(update('- a\n- b\n- c'));
    const arrive = delayed(issue, 'fails');
    await expect(issue.change(add('late'), base)).rejects.toMatchObject({ code: 'TRACKER_UNAVAILABLE' });
    it.tracker.faults = [];
    const { checklist: done } = await issue.change(tick(0, 'a'), base);
    const { checklist: newer } = await issue.change(add('new'), done);
    arrive();
    return { issue, newer };
  }

  test('a program that keeps only the text of such a write does not undo what came after it', async () => {
    const { issue, newer } = await overrun();
    issue.store(issue.text());
    expect(await issue.read()).toMatchObject({ text: newer.text });
    await issue.change(tick(1, 'b'), newer);
    expect(issue.text().trim()).toBe('+ a\n+ b\n- c\n- new');
  });

  test('nor does one that goes on from it, though the turn that found it died', async () => {
    const { issue, newer } = await overrun();
    const theirs = `${issue.text().trim()}\n- theirs`;
    issue.store(theirs);
    it.tracker.faults = [
      ({ method, path }) => (method === 'PUT' && path.includes('/properties/') ? 'down' : undefined),
    ];
    await expect(issue.change(add('d'), newer)).rejects.toMatchObject({ code: 'TRACKER_UNAVAILABLE' });
    it.tracker.faults = [];
    issue.store(`${theirs}\n- theirs too`);
    await issue.change(tick(1, 'b'), newer);
    expect(issue.text().trim().split('\n').sort()).toEqual(['+ a', '+ b', '- c', '- new', '- theirs', '- theirs too']);
  });

  test('what somebody makes of an older text is merged with the newer one', async () => {
    const issue = await newIssue(it);
    const { checklist: older } = await issue.edit(update('- a\n- b'));
    const before = issue.stored();
    await issue.edit(tick(0, 'a'));
    issue.store({ ...(typeof before === 'object' && before), text: '- a\n- b\n- c' });

    expect((await issue.read()).text.trim()).toBe('+ a\n- b\n- c');
    await issue.change(tick(1, 'b'), older);
    expect(issue.text().trim()).toBe('+ a\n+ b\n- c');
  });

  test('an edit that changes nothing still puts the newer text back', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a'));
    const before = issue.stored();
    const { checklist } = await issue.edit(tick(0, 'a'));
    issue.store(before);
    await issue.change(tick(0, 'a'), checklist);
    expect(issue.text()).toBe('+ a');
  });
});
