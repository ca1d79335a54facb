import * as v from 'valibot';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { add, type IssueWork } from '../support/checklists.ts';
import { linesOf, onSync, PROPERTY } from '../support/sync.ts';

/** Regression tests of failures found by test/chaos. */

const stored = (value: unknown) => v.parse(v.looseObject({ text: v.string() }), value);

onSync(({ it, work }) => {
  let onSwap: TestApp['tracker']['onSwap'];
  beforeAll(() => {
    onSwap = it.tracker.onSwap;
  });
  afterEach(() => {
    it.tracker.onSwap = onSwap;
  });

  /**
   * An issue with a foreign text in the property that is merged, but not overwritten: compare-and-set has no effect.
   */
  async function contended(text: string, foreign: string, isStamped = true) {
    const issue = await work.settledIssue(text);
    const ours = stored(await issue.stored());
    it.tracker.onSwap = async () => {};
    const place = async (text: string) => {
      work.held(issue).properties[PROPERTY] = isStamped ? { ...ours, text } : text;
      await refresh(issue);
    };
    await place(foreign);
    return { issue, place };
  }
  async function refresh(issue: IssueWork): Promise<void> {
    const tenant = await it.tenants.find(it.tenant.id);
    if (tenant) await it.sync.of(tenant).refresh(issue.id);
  }

  test('a foreign value still in the property is not merged again: deleted rows stay deleted', async () => {
    const { issue } = await contended('- a\n- b', '- a\n- b\n- c');
    expect((await issue.read()).text).toBe('- a\n- b\n- c');
    await issue.edit({ kind: 'deleteChecklistItem', target: { index: 2, text: 'c' } });
    const before = await work.history(issue);
    await refresh(issue);
    expect(linesOf((await issue.read()).text)).toEqual(['- a', '- b']);
    expect(await work.history(issue)).toHaveLength(before.length);
  });

  test.each([true, false])('a second foreign write is merged from the first one, with a stamp: %s', async isStamped => {
    const { issue, place } = await contended('- a\n- b', '- a\n- b\n- c', isStamped);
    await issue.edit(add('d'));
    await place('+ a\n- b');
    expect(linesOf((await issue.read()).text)).toEqual(['+ a', '- b', '- d']);
  });
});
