import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { workflow } from '../../src/domain/messages.ts';
import { savedRule } from '../../src/domain/workflow/compile.ts';
import { newRule, type RuleKind, type RuleOptions } from '../../src/domain/workflow/options.ts';
import { manifestArguments } from '../../src/platform/arguments.ts';
import { manifest } from '../../src/platform/manifest.ts';
import { evaluate } from '../../src/tracker/expressions/evaluate.ts';
import { propertyOf } from '../domain/workflow/cases.ts';
import { ADDON_KEY } from './addon.ts';
import { startForge } from './forge/harness.ts';
import { type Ask, startTracker, type TestTracker } from './harness.ts';

let site: TestTracker;
let editor: Ask;
let admin: Ask;
beforeEach(async () => {
  site = await startTracker();
  editor = site.as('editor');
  admin = site.as('project-admin');
});
afterEach(() => site.close());

const transitions = '/rest/api/3/issue/WEB-1/transitions';
const toDone = { json: { transition: { id: '31' } } };
const property = `/rest/api/3/issue/WEB-1/properties/app.smart-checklist.pro_development.checklist`;
const rules = '/host/projects/WEB/rules';

const ruleWith = (config: string, kind: RuleKind = 'validator', moduleKey = `checklist-${kind}`) => ({
  ...{ transitionId: '31', kind, framework: 'connect', addonKey: ADDON_KEY, moduleKey, config },
});
const add = (options: Partial<RuleOptions>, kind: RuleKind = 'validator') =>
  admin('POST', rules, { json: ruleWith(JSON.stringify(savedRule({ ...newRule, ...options }, kind)), kind) });
const names = async (ask: Ask) =>
  ((await ask('GET', transitions)).body as { transitions: { name: string }[] }).transitions.map(({ name }) => name);
const refusal = (...messages: string[]) => ({ status: 400, body: { errorMessages: messages, errors: {} } });

test("a validator's message is shown on the transition, which is not made", async () => {
  await editor('PUT', property, { json: propertyOf('- ! Approved by security\n- ! Load test\n- other') });
  await add({ mandatory: true });
  expect(await editor('POST', transitions, toDone)).toMatchObject(
    refusal('2 mandatory items are open: Approved by security, Load test'),
  );
  expect((await editor('GET', '/rest/api/3/issue/WEB-1?fields=status')).body).toMatchObject({
    fields: { status: { name: 'In Progress' } },
  });
  await editor('PUT', property, { json: propertyOf('+ ! Approved by security\nx ! Load test\n- other') });
  expect((await editor('POST', transitions, toDone)).status).toBe(204);
});

test('an app reads its own rules of a kind, by workflow', async () => {
  await add({ mandatory: true });
  await add({ gates: true }, 'condition');
  await admin('POST', rules, { json: { ...ruleWith('{}'), addonKey: 'another.app' } });
  const { body } = await site.asAddon()('GET', '/rest/api/3/workflow/rule/config?types=validator');
  expect(body).toMatchObject({ total: 1, isLast: true, values: [{ conditions: [], validators: [{ id: '1' }] }] });
  expect((await editor('GET', '/rest/api/3/workflow/rule/config?types=validator')).status).toBe(403);
});

test("an app reads a project's workflow, and none of an unknown project", async () => {
  await add({ mandatory: true });
  const { body } = await site.asAddon()('GET', '/rest/api/3/workflow/rule/config?types=validator');
  const { name } = (body as { values: { workflowId: { name: string } }[] }).values[0]?.workflowId ?? {};
  const scheme = async (id: string) =>
    (await site.asAddon()('GET', `/rest/api/3/workflowscheme/project?projectId=${id}`)).body;
  expect(await scheme('10000')).toMatchObject({ values: [{ workflowScheme: { defaultWorkflow: name } }] });
  expect(await scheme('1')).toEqual({ values: [] });
});

test('all validators have to agree, and other transitions have none', async () => {
  await editor('PUT', property, { json: propertyOf('- ! a') });
  await add({ mandatory: true });
  await add({ mandatory: false, percent: 50 });
  expect(await editor('POST', transitions, toDone)).toMatchObject(
    refusal('1 mandatory item is open: a', 'At least 50% of the items must be done. 1 item is open: a'),
  );
  expect((await editor('POST', transitions, { json: { transition: { id: '11' } } })).status).toBe(204);
});

test('a condition hides the transition', async () => {
  await editor('PUT', property, { json: propertyOf('- ! a') });
  await add({ mandatory: true }, 'condition');
  expect(await names(editor)).toEqual(['To Do']);
  expect(await editor('POST', transitions, toDone)).toMatchObject(
    refusal("Transition id '31' is not valid for this issue."),
  );
  await editor('PUT', property, { json: propertyOf('+ ! a') });
  expect(await names(editor)).toEqual(['To Do', 'Done']);
});

describe('an expression that is not evaluated refuses', () => {
  test.each([
    ['nothing is configured', ''],
    ['it fails', JSON.stringify({ expression: 'issue.nothing.more' })],
    ['it is no expression', JSON.stringify({ expression: 'process.exit(1)' })],
    ['it returns a number', JSON.stringify({ expression: '1' })],
  ])('%s', async (_, config) => {
    await admin('POST', rules, { json: ruleWith(config) });
    expect(await editor('POST', transitions, toDone)).toMatchObject(refusal(workflow.refused));
  });

  test('and so does a rule of an app that is gone', async () => {
    await admin('POST', rules, { json: ruleWith('{"expression":"true"}', 'validator', 'unknown') });
    expect(await editor('POST', transitions, toDone)).toMatchObject(refusal('The transition is not allowed.'));
    await admin('POST', rules, { json: ruleWith('{"expression":"true"}', 'condition', 'unknown') });
    expect(await names(editor)).toEqual(['To Do']);
  });
});

test('rules are read and changed by administrators of the project', async () => {
  const { status, body } = await add({ all: true });
  expect(status).toBe(201);
  const { id } = body as { id: string };
  expect((await admin('GET', '/host/projects/WEB/workflow')).body).toMatchObject({
    transitions: [{ name: 'To Do' }, { name: 'In Progress' }, { id: '31', name: 'Done' }],
    rules: [{ id, transitionId: '31', kind: 'validator' }],
  });
  expect((await admin('PUT', `${rules}/${id}`, { json: { config: '{"expression":"true"}' } })).status).toBe(204);
  expect((await editor('POST', transitions, toDone)).status).toBe(204);
  for (const [method, path, json] of [
    ['GET', '/host/projects/WEB/workflow', undefined],
    ['POST', rules, ruleWith('')],
    ['PUT', `${rules}/${id}`, { config: '' }],
    ['DELETE', `${rules}/${id}`, undefined],
  ] as const)
    expect((await editor(method, path, json && { json })).status).toBe(403);
  expect((await admin('PUT', `/host/projects/HELP/rules/${id}`, { json: { config: '' } })).status).toBe(404);
  expect((await admin('POST', rules, { json: { ...ruleWith(''), transitionId: '99' } })).status).toBe(400);
  expect((await admin('POST', rules, { json: ruleWith('x'.repeat(32_769)) })).status).toBe(400);
  expect((await admin('DELETE', `${rules}/${id}`)).status).toBe(204);
  expect((await admin('DELETE', `${rules}/${id}`)).status).toBe(404);
});

test("the pages of a rule get its configuration, an administrator's only", async () => {
  const config = JSON.stringify({ a: "it's {x}", expression: 'true' });
  const { id } = (await admin('POST', rules, { json: ruleWith(config) })).body as { id: string };
  const at = (place: string, query = '') => `/host/modules?place=${place}${query}`;
  const created = (await admin('GET', at('rule-create'))).body as { key: string; url: string; rule: object }[];
  expect(created).toMatchObject([
    { key: 'checklist-validator', rule: { kind: 'validator', description: expect.stringContaining('Blocks') } },
    { key: 'checklist-condition', rule: { kind: 'condition' } },
  ]);
  const [edited] = (await admin('GET', at('rule-edit', `&key=checklist-validator&rule=${id}`))).body as {
    url: string;
  }[];
  expect(new URL(edited?.url ?? '').searchParams.get('config')).toBe(config);
  expect((await editor('GET', at('rule-edit', `&key=checklist-validator&rule=${id}`))).status).toBe(403);
  expect((await admin('GET', at('rule-edit', '&rule=none'))).status).toBe(404);
});

const { values } = manifestArguments([], {});

test('the list of rules on Forge has the words of each configuration, and the description of one without words', async () => {
  const forge = await startForge({ manifest: join(import.meta.dirname, '../../manifest.yml') });
  try {
    const lead = forge.as('project-admin');
    const [addonKey] = (await forge.modules('project-admin', 'place=rule-create')).map(each => each.addonKey);
    const put = (config: object) =>
      lead('POST', rules, { json: { ...ruleWith(JSON.stringify(config)), framework: 'forge', addonKey } });
    await put(savedRule({ ...newRule, gates: false, sections: ["Can't ship"] }, 'validator'));
    await put({ ...newRule, expression: 'true' });
    const { body } = await lead('GET', '/host/projects/WEB/workflow');
    expect(body).toMatchObject({
      rules: [
        {
          summary: expect.stringMatching(
            /^The transition is allowed when all mandatory items are done and all items of the section “Can't ship” are done\. Skipped/,
          ),
        },
        { summary: 'Blocks the transition while required items of the checklist are open, and names them.' },
      ],
    });
  } finally {
    await forge.close();
  }
});

describe('after the move to Forge, a rule that was saved on Connect', () => {
  const { expression } = manifestModules();

  /** The app's own declared expression of its validator. */
  function manifestModules(): { expression: string } {
    const { modules } = manifest(values);
    const [found] = modules['jira:workflowValidator'];
    if (!found) throw new Error('The manifest has no validator.');
    return found;
  }

  test.each([
    [
      'blocks no transition where the platform does not replace the module’s expression',
      savedRule(newRule, 'validator'),
      true,
    ],
    ['refuses where it was never configured', '', false],
    ['refuses where its configuration has no expression', {}, false],
  ])('%s', (_, config, expected) => {
    expect(evaluate(expression, { variables: { config }, now: 0, zone: 'UTC' })).toBe(expected);
  });

  test('is evaluated by the Forge module alone where the tracker is set so', async () => {
    const forge = await startForge();
    try {
      const lead = forge.as('project-admin');
      await lead('POST', rules, { json: ruleWith(JSON.stringify(savedRule(newRule, 'validator'))) });
      await forge.set({ replacesRules: false });
      // This test's app has no such module on Forge.
      expect(await forge.as('editor')('POST', transitions, toDone)).toMatchObject(
        refusal('The transition is not allowed.'),
      );
    } finally {
      await forge.close();
    }
  });
});
