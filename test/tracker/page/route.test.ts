import { expect, test } from 'vitest';
import { routeOf } from '../../../src/tracker/page/app/route.ts';

const route = (path: string) => routeOf(new URL(path, 'http://localhost:2990'));

test.each([
  ['/', { screen: 'home' }],
  ['/apps', { screen: 'apps' }],
  ['/faults', { screen: 'faults' }],
  ['/quota', { screen: 'quota' }],
  ['/browse/WEB-1', { screen: 'issue', issueKey: 'WEB-1' }],
  ['/browse/WEB-1/', { screen: 'issue', issueKey: 'WEB-1' }],
  ['/portal/HELP-1', { screen: 'portal', issueKey: 'HELP-1' }],
  ['/mobile/WEB-1', { screen: 'mobile', issueKey: 'WEB-1' }],
  ['/projects/WEB/settings', { screen: 'settings', projectKey: 'WEB', tab: undefined }],
  ['/projects/WEB/settings/project-settings', { screen: 'settings', projectKey: 'WEB', tab: 'project-settings' }],
  ['/plugins/servlet/project-config/WEB/workflows', { screen: 'workflow', projectKey: 'WEB' }],
  ['/plugins/smart-hierarchy', { screen: 'page', place: 'general', moduleKey: 'smart-hierarchy', about: {} }],
  [
    '/plugins/smart-hierarchy?issueKey=WEB-1&projectKey=WEB',
    { screen: 'page', place: 'general', moduleKey: 'smart-hierarchy', about: { issueKey: 'WEB-1', projectKey: 'WEB' } },
  ],
  [
    '/projects/WEB/apps/project-assigned-items',
    { screen: 'page', place: 'project-page', moduleKey: 'project-assigned-items', about: { projectKey: 'WEB' } },
  ],
  ['/admin/site-settings', { screen: 'admin', moduleKey: 'site-settings', about: {} }],
  [
    '/admin/site-settings?addonKey=app.a',
    { screen: 'admin', moduleKey: 'site-settings', about: { addonKey: 'app.a' } },
  ],
  ['/jira/people/qm%3A7c5a%3Ab2f6', { screen: 'person', accountId: 'qm:7c5a:b2f6' }],
])('%s', (path, expected) => {
  expect(route(path)).toEqual(expected);
});

test.each([
  '/nowhere',
  '/browse',
  '/browse/WEB-1/more',
  '/projects/WEB',
  '/jira/people',
  '/projects/WEB/settings/a/b',
  '/projects/WEB/apps',
  '/browse/%',
])('%s is no page of the site', path => {
  expect(route(path)).toEqual({ screen: 'missing' });
});
