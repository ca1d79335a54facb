import { expect, test } from 'vitest';
import { relativeTime } from '../../src/domain/constants.ts';
import { fieldErrors, validateName } from '../../src/domain/fields.ts';
import { parseIssue } from '../../src/domain/issue.ts';
import { issuePath, scrolls, surfaces } from '../../src/domain/pages.ts';

test('relative time changes its unit at 60, 3600 and 86400 seconds', () => {
  const ago = (seconds: number) => relativeTime(0, seconds * 1000);
  expect([ago(0), ago(59), ago(60), ago(3599), ago(3600), ago(86_399), ago(86_400), ago(3 * 86_400)]).toEqual([
    'now',
    '59 seconds ago',
    '1 minute ago',
    '59 minutes ago',
    '1 hour ago',
    '23 hours ago',
    'yesterday',
    '3 days ago',
  ]);
});

test('names have 3 to 140 characters, an emoji counting as one', () => {
  expect(['', '  ', 'ab', 'abc', '😀'.repeat(140), 'a'.repeat(141)].map(validateName)).toEqual([
    'REQUIRED',
    'REQUIRED',
    'TOO_SHORT',
    undefined,
    undefined,
    'TOO_LONG',
  ]);
  expect(fieldErrors.TOO_LONG).toBe('This is too long. It should be at most 140 characters long.');
});

test('an issue becomes a summary with its lozenge', () => {
  const issue = {
    id: '1',
    key: 'WEB-1',
    fields: {
      summary: 'Ship it',
      assignee: { displayName: 'Ana', avatarUrls: { '16x16': '/a.svg' } },
      priority: null,
      status: { name: 'Doing', statusCategory: { colorName: 'yellow' } },
      issuetype: { iconUrl: '/bug.svg' },
    },
  };
  expect(parseIssue(issue)).toEqual({
    id: '1',
    key: 'WEB-1',
    link: '/browse/WEB-1',
    name: 'Ship it',
    assignee: { avatar: '/a.svg', name: 'Ana' },
    priority: undefined,
    status: { title: 'Doing', color: 'yellow', lozenge: 'inprogress', icon: '/bug.svg' },
  });
  expect(parseIssue({ id: 1 })).toBeUndefined();
});

test('issue links have a query when given, and only whole pages scroll', () => {
  expect(issuePath('WEB-1', { focused: 'a b' })).toBe('/browse/WEB-1?focused=a+b');
  expect(surfaces.filter(scrolls)).toEqual(['project-admin', 'admin', 'page', 'dialog']);
});
