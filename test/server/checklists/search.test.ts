import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { encodedSize } from '../../../src/domain/storage.ts';
import { isIsoDay } from '../../../src/text/references.ts';
import { appOf, startApp } from '../support/app.ts';
import { newIssue, tick, update } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

const extraction = v.object({ objectName: v.string(), type: v.string(), alias: v.string() });
const descriptor = v.object({
  modules: v.object({
    jiraEntityProperties: v.array(
      v.object({ keyConfigurations: v.array(v.object({ propertyKey: v.string(), extractions: v.array(extraction) })) }),
    ),
  }),
});
const shapes: Record<string, v.GenericSchema> = {
  text: v.pipe(v.string(), v.minLength(1)),
  number: v.number(),
  string: v.pipe(v.array(v.string()), v.minLength(1)),
  user: v.pipe(v.array(v.string()), v.minLength(1)),
  date: v.pipe(v.array(v.pipe(v.string(), v.check(isIsoDay))), v.minLength(1)),
};

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));

  test('each value that the descriptor indexes is stored with its type', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('# Release !before:Done\n- ! a [~accountid:x] 2026-12-01\n+ b'));
    const { modules } = v.parse(descriptor, (await it.app.inject('/atlassian-connect.json')).json());
    const extractions = modules.jiraEntityProperties.flatMap(({ keyConfigurations }) =>
      keyConfigurations.flatMap(configuration => configuration.extractions),
    );
    expect(extractions.map(({ alias }) => alias)).toEqual([
      'checklistText',
      'checklistItems',
      'checklistChecked',
      'checklistPercent',
      'checklistMandatoryOpen',
      'checklistStatus',
      'checklistAssignee',
      'checklistDue',
      'checklistGate',
    ]);
    for (const { objectName, type } of extractions) {
      const value = objectName.split('.').reduce<unknown>((at, step) => Object(at)[step], await issue.stored());
      expect(v.is(shapes[type] ?? v.never(), value), objectName).toBe(true);
    }
    expect(await issue.stored()).toMatchObject({
      progress: { mandatoryOpen: 1 },
      search: { statuses: ['To Do', 'Done'], assignees: ['x'], dueDates: ['2026-12-01'], gates: ['Done'] },
    });
  });

  test('at the brim of the property an item without a mark can still be ticked', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a'));
    const text = (size: number) => 'y'.repeat(size);
    let [fits, over] = [30_000, 33_000];
    while (over - fits > 1) {
      const middle = (fits + over) >> 1;
      const isStored = await issue.edit(update(text(middle))).then(
        () => true,
        () => false,
      );
      if (isStored) fits = middle;
      else over = middle;
    }
    await issue.edit(update(text(fits)));
    const { checklist } = await issue.edit(tick(0, text(fits)));
    expect(checklist.text).toBe(`+ ${text(fits)}`);
    expect(await issue.stored()).toMatchObject({ text: `+ ${text(fits)}`, progress: { checked: 1 } });
    await expect(issue.edit(update(`+ ${text(fits)}y`))).rejects.toMatchObject({ code: 'TOO_LARGE' });
    await issue.edit(update(text(fits - 1)));
  });

  test('a text that fills the property leaves room for what rules decide by, then for searches, then for names', async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a [~accountid:x]'));
    const fill = (left: number) => `- a [~accountid:x] ${'y'.repeat(32_768 - left)}`;
    const held = async (left: number) => {
      await issue.edit(update(fill(left)));
      const stored = await issue.stored();
      expect(encodedSize(stored)).toBeLessThanOrEqual(32_768);
      return stored;
    };
    const named = /: a y{37}…$/;
    expect(await held(900)).toMatchObject({
      search: { assignees: ['x'] },
      rules: { all: expect.stringMatching(named) },
    });
    expect(await held(475)).toMatchObject({ search: { assignees: ['x'] }, rules: { all: '1 item is open' } });
    const counted = await held(425);
    expect(counted).toMatchObject({ rules: { total: 1, all: expect.stringMatching(/^1 item is open/) } });
    expect(counted).not.toHaveProperty('search.assignees', ['x']);
    expect(await held(230)).not.toHaveProperty('rules');
    expect(await issue.stored()).not.toHaveProperty('search.assignees', ['x']);
    expect(encodedSize(await issue.stored())).toBeGreaterThan(32_700);
  });
});
