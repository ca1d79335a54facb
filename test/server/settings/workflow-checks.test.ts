import { beforeEach, expect, test, vi } from 'vitest';
import { savedRule } from '../../../src/domain/workflow/compile.ts';
import { newRule, type RuleKind, type RuleOptions } from '../../../src/domain/workflow/options.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { askAs } from '../support/ask.ts';
import { EDITOR, newIssue } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

/** Whether some workflow rule of a site checks gates and mandatory items, and whether customers see sections. */

vi.setConfig({ testTimeout: 60_000 });

const PATH = '/rest/api/3/workflow/rule/config';
const none = { ...newRule, mandatory: false, gates: false, percent: 80 };

onStore(use => {
  let it: TestApp;
  beforeEach(async () => {
    it = await startApp(use().store);
    it.tracker.granted.set('editor', EDITOR);
    return () => it.app.close();
  });

  const configured = (kind: RuleKind, options: Partial<RuleOptions>, disabled = false) => ({
    value: JSON.stringify(savedRule({ ...none, ...options }, kind)),
    disabled,
  });
  const ask = (issueId: string, account = 'editor') =>
    askAs(it, account).ask(
      'query run($issueId: ID!) { enforcement(issueId: $issueId) { gates mandatory hasPortal portal } }',
      { issueId },
    );
  const calls = () => it.tracker.calls.filter(({ path }) => path === PATH).length;

  interface Rules {
    validator?: Partial<RuleOptions>[];
    condition?: Partial<RuleOptions>[];
  }
  test.each<[Rules, object]>([
    [{ validator: [{ gates: true }] }, { gates: true, mandatory: false }],
    [
      { validator: [{ mandatory: true }], condition: [{ gates: true }] },
      { gates: true, mandatory: true },
    ],
    [{ validator: [{ all: true }] }, { gates: true, mandatory: true }],
    [{}, { gates: false, mandatory: false }],
  ])('%j', async (rules, checks) => {
    it.tracker.workflowRules = {
      validator: rules.validator?.map(options => configured('validator', options)) ?? [],
      condition: rules.condition?.map(options => configured('condition', options)) ?? [],
    };
    const { id } = await newIssue(it);
    expect(await ask(id)).toMatchObject(checks);
  });

  test('a disabled rule checks nothing', async () => {
    it.tracker.workflowRules = { validator: [configured('validator', { gates: true }, true)] };
    const { id } = await newIssue(it);
    expect(await ask(id)).toMatchObject({ gates: false });
  });

  test('one answer of the tracker serves all users and issues for a quarter of an hour, also a refusal', async () => {
    it.tracker.granted.set('other', EDITOR);
    const [one, other] = [await newIssue(it), await newIssue(it)];
    for (const { id } of [one, other, one]) {
      expect(await ask(id)).toMatchObject({ gates: null, mandatory: null });
      expect(await ask(id, 'other')).toMatchObject({ gates: null, mandatory: null });
    }
    expect(calls()).toBe(1);
  });

  test('it needs the permission to view the issue', async () => {
    const { id } = await newIssue(it);
    await expect(ask(id, 'stranger')).rejects.toThrow();
    expect(calls()).toBe(0);
  });
});
