import { type GraphQLObjectType, parse, specifiedRules, validate } from 'graphql';
import { expect, test } from 'vitest';
import { sizeProblem, validationRules } from '../../../../src/server/http/graphql/cost.ts';
import { schema } from '../../../../src/server/http/graphql/schema.ts';

const errors = (query: string, introspection: boolean) =>
  validate(schema, parse(query), [...specifiedRules, ...validationRules(introspection)]).map(({ message }) => message);

const refused = ['Too many operations at once.'];

test('a production server has no introspection', () => {
  expect(errors('{ __schema { types { name } } }', true)).toEqual([]);
  expect(errors('{ __schema { types { name } } }', false)).not.toEqual([]);
  expect(errors('{ featureFlags __typename }', false)).toEqual([]);
});

test('root fields are not multiplied by aliases or fragments', () => {
  const reads = (count: number) =>
    Array.from({ length: count }, (_, i) => `a${i}: checklist(issueId: 1) { text }`).join(' ');
  expect(errors(`{ ${reads(5)} }`, false)).toEqual([]);
  expect(errors(`{ ${reads(6)} }`, false)).toEqual(refused);
  expect(errors(`{ ...Many } fragment Many on Query { ${reads(6)} }`, false)).toEqual(refused);
  expect(errors(`{ ... on Query { ${reads(6)} } }`, false)).toEqual(refused);
});

/*
 * Each field at the root, by what it may read or write. A new one joins a list: that of heavy ones, if it reads or writes
 * more than one text, or answers more than a page of a hundred.
 */
const heavy = [
  // Many texts.
  'checklistHistory checklistSummaries checklistTouches erasePerson exportTemplates statusUse templates importTemplates',
  // Thousands of rows.
  'templateTree',
];
const light = [
  // Settings, rights and records.
  'apiTokens apiUrl checkStoredData editors featureFlags gettingStarted inheritance job jobs notificationSettings storedData',
  'permissionHolders',
  'projectSettings siteSettings statuses webhookCalls webhooks templateAssignmentPreview templateAssignments',
  'cancelJob createApiToken createTemplateAssignment createWebhook deleteTemplateAssignment deleteWebhook editRow',
  'importFromIssueChecklist inheritChecklists moveTemplateAssignment muteNotifications placeEditor removeSiteData',
  'reorderStatuses reportSeen revokeApiToken setDefaultTemplate setFollowing synchronizeStorages testWebhook',
  'updateNotificationSettings updateProjectSettings updateSiteSettings updateTemplateAssignment updateWebhook',
  'workflowRulesEdited',
  // A page or counts of an index, without texts.
  'enforcement assignedCounts assignedItems checklistConflicts convertedIssues deletedTemplates templateUsage templateVersions',
  // One text.
  'checklist checklistRevision portalChecklist template templateVersion changeChecklist createTemplateFromChecklist',
  'createTemplateFromText deleteTemplate duplicateTemplate restoreTemplate updateTemplate',
  // A job that does the work.
  'createStatus deleteStatus updateStatus',
];
const namesIn = (list: readonly string[]) => list.flatMap(line => line.split(' '));

test('each field at the root is weighed: a document has one heavy field, or five light ones', () => {
  const namesOf = (type: GraphQLObjectType | null | undefined) => Object.keys(type?.getFields() ?? {});
  const [queries, mutations] = [namesOf(schema.getQueryType()), namesOf(schema.getMutationType())];
  expect([...namesIn(heavy), ...namesIn(light)].sort()).toEqual([...queries, ...mutations].sort());
  // By these rules alone: arguments and selections do not matter to them.
  const problems = (name: string, count: number) => {
    const fields = Array.from({ length: count }, (_, index) => `a${index}: ${name}`).join(' ');
    const document = parse(`${mutations.includes(name) ? 'mutation ' : ''}{ ${fields} }`);
    return validate(schema, document, validationRules(false)).map(({ message }) => message);
  };
  for (const [names, most] of [[namesIn(heavy), 1] as const, [namesIn(light), 5] as const]) {
    for (const name of names) {
      expect(problems(name, most), name).toEqual([]);
      expect(problems(name, most + 1), name).toEqual(refused);
    }
  }
});

test('a field that reads many texts is the only one of its document', () => {
  for (const field of [
    'checklistTouches(issueId: 1) { row }',
    'checklistHistory(issueId: 1) { entries { seq } }',
    'checklistSummaries(issueIds: [1]) { total }',
    'statusUse(slug: "a") { items }',
    'templates { templates { text } }',
    'exportTemplates',
  ]) {
    expect(errors(`{ ${field} }`, false)).toEqual([]);
    expect(errors(`{ ${field} featureFlags }`, false)).toEqual(refused);
    expect(errors(`{ a: ${field} b: ${field} c: ${field} d: ${field} e: ${field} }`, false)).toEqual(refused);
    expect(errors(`{ a: ${field} ...More } fragment More on Query { b: ${field} }`, false)).toEqual(refused);
  }
});

test('variables that several fields use count for each of them', () => {
  const change = 'changeChecklist(input: $input) { notices }';
  const mutation = (fields: string, more = '') =>
    parse(`mutation run($input: ChangeChecklistInput!) { ${fields} } ${more}`);
  const input = { text: 'x'.repeat(300_000) };
  const small = { text: 'x'.repeat(30_000) };
  expect(sizeProblem(mutation(change), { input })).toBeUndefined();
  expect(sizeProblem(mutation(`a: ${change} b: ${change}`), { input })).toContain('at most');
  expect(sizeProblem(mutation(`a: ${change} b: ${change}`), { input: small })).toBeUndefined();
  const fragment = (fields: string) => `fragment More on Mutation { ${fields} }`;
  expect(sizeProblem(mutation('...More', fragment(`a: ${change} b: ${change}`)), { input })).toContain('at most');
  // Spread twice it is still the same field.
  expect(sizeProblem(mutation('...More ...More', fragment(`a: ${change}`)), { input })).toBeUndefined();
});
