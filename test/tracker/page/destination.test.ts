import { expect, test } from 'vitest';
import { addressOf } from '../../../src/tracker/page/bridge/destination.ts';

test.each([
  ['dashboard', undefined, '/'],
  ['issue', { issueKey: 'WEB-1' }, '/browse/WEB-1'],
  ['userProfile', { userAccountId: 'qm:1' }, '/jira/people/qm%3A1'],
  ['projectAdminSummary', { projectKey: 'WEB' }, '/projects/WEB/settings'],
  ['projectAdminTabPanel', { projectKey: 'WEB', moduleKey: 'tab' }, '/projects/WEB/settings/tab'],
  ['addonModule', { moduleKey: 'smart-hierarchy' }, '/plugins/smart-hierarchy'],
  ['addonModule', { moduleKey: 'smart-hierarchy', addonKey: 'app.b' }, '/plugins/smart-hierarchy?addonKey=app.b'],
  ['site', { relativeUrl: '/browse/WEB-1?a=b' }, '/browse/WEB-1?a=b'],
])('an add-on goes to %s %j', (target, details, address) => {
  expect(addressOf(target, details)).toBe(address);
});

test.each([
  ['issue', {}],
  ['issue', { issueKey: 7 }],
  ['projectAdminTabPanel', { projectKey: 'WEB' }],
  ['elsewhere', { issueKey: 'WEB-1' }],
])('there is no page for %s %j', (target, details) => {
  expect(addressOf(target, details)).toBeUndefined();
});

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)'])(
  'an add-on cannot lead away from the site by %s',
  relativeUrl => {
    expect(addressOf('site', { relativeUrl })).toBeUndefined();
  },
);
