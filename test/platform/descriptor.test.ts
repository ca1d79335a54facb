import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { descriptor, placeholders } from '../../src/platform/descriptor.ts';

const values = {
  key: 'app.example',
  name: 'Example Checklist',
  label: 'Example',
  logo: 'logo.svg',
  baseUrl: 'https://addon.example/base',
  version: 'v1.0.0',
};

test('atlassian-connect.json is what the source gives: npm run descriptor', () => {
  const committed: unknown = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../atlassian-connect.json'), 'utf8'),
  );
  // As text, so that the order of the lines counts, too.
  expect(JSON.stringify(committed, null, 2)).toBe(JSON.stringify(descriptor(placeholders), null, 2));
});

test('the names and the place where it is served stand wherever they belong', () => {
  const filled = descriptor(values);
  expect(filled).toMatchObject({
    key: 'app.example',
    name: 'Example Checklist',
    version: 'v1.0.0',
    baseUrl: 'https://addon.example/base',
    links: { self: 'https://addon.example/base/atlassian-connect.json' },
    apiMigrations: { 'signed-install': true, 'context-qsh': true },
  });
  expect(filled.modules.jiraIssueContexts).toMatchObject([
    { name: { value: 'Example' }, icon: { url: '/images/logo.svg' } },
  ]);
  // The tracker's own variables stay.
  expect(JSON.stringify(filled)).toContain('issueKey={issue.key}');
});

test('webhooks say in their address which issue and property, and only updates bring more: what changed', () => {
  const { webhooks } = descriptor(values).modules;
  expect(webhooks).toHaveLength(5);
  for (const { event, url, excludeBody = false } of webhooks) {
    const about = event.startsWith('issue_property_') ? '&property={property.key}' : '';
    expect(url.slice(url.indexOf('?'))).toBe(`?issueId={issue.id}${about}`);
    expect(excludeBody).toBe(event !== 'jira:issue_updated');
  }
});
