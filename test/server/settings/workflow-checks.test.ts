import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { savedRule } from '../../../src/domain/workflow/compile.ts';
import { newRule, type RuleKind, type RuleOptions } from '../../../src/domain/workflow/options.ts';
import { startAgain, startApp, type TestApp } from '../support/app.ts';
import { askAs } from '../support/ask.ts';
import { EDITOR, newIssue, update } from '../support/checklists.ts';
import { onStore } from '../support/stores.ts';

/** Whether some workflow rule of an issue's project checks gates and mandatory items, and whether customers see sections. */

vi.setConfig({ testTimeout: 60_000 });

const RULES = '/rest/api/3/workflow/rule/config';
const SCHEME = '/rest/api/3/workflowscheme/project';
const none = { ...newRule, mandatory: false, gates: false, percent: 80 };

onStore(use => {
  let it: TestApp;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    it = await startApp(use().store);
    it.tracker.granted.set('editor', EDITOR);
    return async () => {
      vi.useRealTimers();
      await it.app.close();
    };
  });

  const configured = (kind: RuleKind, options: Partial<RuleOptions>, disabled = false) => ({
    value: JSON.stringify(savedRule({ ...none, ...options }, kind)),
    disabled,
  });
  const ask = (issueId: string, account = 'editor', issueType?: string) =>
    askAs(it, account).ask(
      `query run($issueId: ID!, $issueType: ID) {
        enforcement(issueId: $issueId, issueType: $issueType) { gates mandatory hasPortal portal }
      }`,
      { issueId, issueType },
    );
  const calls = (asked: string) => it.tracker.calls.filter(({ path }) => path === asked).length;
  /** An issue whose project the server knows. */
  const knownIssue = async () => {
    const issue = await newIssue(it);
    await issue.edit(update('- a'));
    return issue;
  };

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
    const { id } = await knownIssue();
    expect(await ask(id)).toMatchObject(checks);
  });

  test('a disabled rule checks nothing', async () => {
    it.tracker.workflowRules = { validator: [configured('validator', { gates: true }, true)] };
    const { id } = await knownIssue();
    expect(await ask(id)).toMatchObject({ gates: false });
  });

  test("a rule of another project's workflow, and one of a draft, check nothing", async () => {
    const rule = configured('validator', { gates: true });
    it.tracker.workflowRules = {
      validator: [
        { ...rule, workflow: 'Another' },
        { ...rule, draft: true },
      ],
    };
    const { id } = await knownIssue();
    expect(await ask(id)).toMatchObject({ gates: false, mandatory: false });
  });

  test('without a scheme, as of team-managed projects, a rule of the site says nothing', async () => {
    it.tracker.workflowRules = { validator: [configured('validator', { gates: true })] };
    it.tracker.workflowSchemes.clear();
    const { id } = await knownIssue();
    expect(await ask(id)).toMatchObject({ gates: null, mandatory: false });
  });

  test("a scheme says it by the issue's type, in one question for each project", async () => {
    it.tracker.workflowRules = { validator: [{ ...configured('validator', { gates: true }), workflow: 'Of bugs' }] };
    const [project = ''] = it.tracker.workflowSchemes.keys();
    it.tracker.workflowSchemes.set(project, { defaultWorkflow: 'Workflow', issueTypeMappings: { 10: 'Of bugs' } });
    const [one, other] = [await knownIssue(), await knownIssue()];
    for (const { id } of [one, other]) {
      expect(await ask(id, 'editor', '10')).toMatchObject({ gates: true });
      expect(await ask(id, 'editor', '11')).toMatchObject({ gates: false });
      expect(await ask(id)).toMatchObject({ gates: null });
    }
    expect(calls(RULES)).toBe(2);
    expect(calls(SCHEME)).toBe(1);
  });

  test('one answer of the tracker serves all users and issues for a quarter of an hour, also a refusal', async () => {
    it.tracker.granted.set('other', EDITOR);
    const [one, other] = [await knownIssue(), await knownIssue()];
    for (const { id } of [one, other, one]) {
      expect(await ask(id)).toMatchObject({ gates: null, mandatory: null });
      expect(await ask(id, 'other')).toMatchObject({ gates: null, mandatory: null });
    }
    expect(calls(RULES)).toBe(1);
    expect(calls(SCHEME)).toBe(0);
  });

  describe('after an edit of a rule', () => {
    const edited = (account: string) =>
      it.graphql(account, 'mutation { workflowRulesEdited { noted errors { code } } }').then(({ data }) => data);
    const passMinutes = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);

    test('panels learn within a minute that the workflow was published, by one answer a minute for half an hour', async () => {
      it.tracker.granted.set('admin', ['ADMINISTER']);
      it.tracker.workflowRules = { validator: [], condition: [] };
      const { id } = await knownIssue();
      expect(await ask(id)).toMatchObject({ gates: false });
      expect(await edited('admin')).toMatchObject({ workflowRulesEdited: { noted: true } });
      expect(await edited('admin')).toMatchObject({ workflowRulesEdited: { noted: true } });
      await ask(id);
      expect(calls(RULES)).toBe(2);
      it.tracker.workflowRules = { validator: [configured('validator', { gates: true })], condition: [] };
      passMinutes(1);
      await vi.waitFor(async () => expect(await ask(id)).toMatchObject({ gates: true }));
      await ask(id);
      expect(calls(RULES)).toBe(4);
      passMinutes(1);
      await ask(id);
      expect(calls(RULES)).toBe(6);
      passMinutes(29);
      await ask(id);
      expect(calls(RULES)).toBe(8);
      // The half hour is over.
      passMinutes(14);
      await ask(id);
      expect(calls(RULES)).toBe(8);
      expect(calls(SCHEME)).toBeLessThanOrEqual(3);
    });

    test('another process is notified, too', async () => {
      it.tracker.granted.set('admin', ['ADMINISTER']);
      it.tracker.workflowRules = { validator: [], condition: [] };
      const { id } = await knownIssue();
      const { background, tracker } = it;
      const other = await startAgain(it, { store: use().store, send: tracker.fetch, background });
      onTestFinished(() => other.app.close());
      const askOther = () =>
        askAs(other, 'editor').ask('query run($issueId: ID!) { enforcement(issueId: $issueId) { gates } }', {
          issueId: id,
        });
      expect(await askOther()).toEqual({ gates: false });
      await edited('admin');
      it.tracker.workflowRules = { validator: [configured('validator', { gates: true })], condition: [] };
      vi.setSystemTime(Date.now() + 60_000);
      await vi.waitFor(async () => expect(await askOther()).toEqual({ gates: true }));
      expect(calls(RULES)).toBe(4);
    });

    test('only an administrator of the site may say so', async () => {
      it.tracker.workflowRules = { validator: [], condition: [] };
      const { id } = await knownIssue();
      await ask(id);
      expect(await edited('editor')).toMatchObject({
        workflowRulesEdited: { noted: false, errors: [{ code: 'FORBIDDEN' }] },
      });
      passMinutes(1);
      await ask(id);
      expect(calls(RULES)).toBe(2);
    });
  });

  test('it needs the permission to view the issue', async () => {
    const { id } = await newIssue(it);
    await expect(ask(id, 'stranger')).rejects.toThrow();
    expect(calls(RULES)).toBe(0);
  });
});
