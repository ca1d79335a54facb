import * as v from 'valibot';
import { expect, test } from 'vitest';
import { DescriptorRefused, readDescriptor } from '../../src/tracker/connect/schema.ts';
import { ADDON_KEY, descriptorFor } from './addon.ts';

const base = () => descriptorFor('http://127.0.0.1:3000');
/** The descriptor with a change to the first module of a type. */
function withModule(type: string, change: Record<string, unknown>): unknown {
  const { modules, ...rest } = v.parse(
    v.looseObject({ modules: v.record(v.string(), v.union([v.array(v.looseObject({})), v.looseObject({})])) }),
    base(),
  );
  const [first, ...others] = [modules[type] ?? {}].flat();
  return { ...rest, modules: { ...modules, [type]: [{ ...first, ...change }, ...others] } };
}

function problemsOf(descriptor: unknown): readonly string[] {
  try {
    readDescriptor(descriptor);
    return [];
  } catch (error) {
    if (error instanceof DescriptorRefused) return error.problems;
    throw error;
  }
}

test('the descriptor of the product is accepted', () => {
  expect(readDescriptor(base())).toMatchObject({ key: ADDON_KEY, baseUrl: 'http://127.0.0.1:3000' });
});

test.each<[string, unknown, RegExp]>([
  ['no object', 'text', /must be object/],
  ['a key with a blank', { ...base(), key: 'a b' }, /^key must match pattern/],
  ['no migration to signed installs', { ...base(), apiMigrations: { gdpr: true } }, /signed-install/],
  ['an unknown scope', { ...base(), scopes: ['READ', 'EVERYTHING'] }, /^scopes\[1\] must be equal to one of/],
  ['another authentication', { ...base(), authentication: { type: 'none' } }, /authentication\.type .*"jwt"/],
  ['a relative base address', { ...base(), baseUrl: '/here' }, /^baseUrl must match pattern/],
  [
    'an unknown module',
    withModule('jiraSidePanels', {}),
    /^modules must NOT have additional properties: jiraSidePanels/,
  ],
  [
    'a context panel without its label',
    withModule('jiraIssueContexts', { content: undefined }),
    /^modules\.jiraIssueContexts\[checklist-context\] must have required property 'content'/,
  ],
  [
    'an underscore in a module key',
    withModule('dialogs', { key: 'checklist_editor' }),
    /^modules\.dialogs\[checklist_editor\]\.key must match pattern/,
  ],
  [
    'a dialog size that does not exist',
    withModule('dialogs', { options: { size: 'huge' } }),
    /^modules\.dialogs\[checklist-editor\]\.options\.size must be equal to one of .*maximum/,
  ],
  [
    'a condition that the tracker cannot evaluate',
    withModule('generalPages', { conditions: [{ or: [{ condition: 'moon_is_full' }] }] }),
    /the condition moon_is_full is not known/,
  ],
  [
    'a field of an unknown type',
    withModule('jiraIssueFields', { type: 'textarea' }),
    /^modules\.jiraIssueFields\[checklist-text\]\.type must be equal to one of/,
  ],
])('a descriptor with %s is refused in words', (_, descriptor, message) => {
  expect(problemsOf(descriptor).join('\n')).toMatch(message);
});

test('conditions may be nested in both ways', () => {
  const condition = { condition: 'user_is_admin' };
  const descriptor = withModule('generalPages', {
    conditions: [{ or: [condition, { and: [condition] }] }, { type: 'OR', conditions: [condition] }],
  });
  expect(readDescriptor(descriptor).modules.generalPages[0]?.conditions).toEqual([
    { or: [condition, { and: [condition] }] },
    { or: [condition] },
  ]);
});
