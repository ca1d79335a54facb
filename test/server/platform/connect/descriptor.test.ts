import { expect, test } from 'vitest';
import { edition } from '../../../../src/domain/edition.ts';
import { descriptor } from '../../../../src/server/platform/connect/descriptor.ts';

test('the template is filled in everywhere, for the place where it is served', () => {
  const filled = JSON.stringify(descriptor('https://addon.example/base'));
  expect(filled).not.toMatch(/\{\{/);
  expect(JSON.parse(filled)).toMatchObject({
    key: edition.key,
    name: edition.name,
    baseUrl: 'https://addon.example/base',
    links: { self: 'https://addon.example/base/atlassian-connect.json' },
    apiMigrations: { 'signed-install': true, 'context-qsh': true },
  });
  // The tracker's own variables stay.
  expect(filled).toContain('issueKey={issue.key}');
});

test('webhooks say in their address which issue, and only updates bring more: what changed', () => {
  const { modules } = JSON.parse(JSON.stringify(descriptor('https://addon.example')));
  expect(modules.webhooks).toHaveLength(5);
  for (const webhook of modules.webhooks) {
    expect(webhook.url).toMatch(/\?issueId=\{issue\.id\}$/);
    expect(webhook.excludeBody ?? false).toBe(webhook.event !== 'jira:issue_updated');
  }
});
