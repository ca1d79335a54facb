import { expect, test } from 'vitest';
import { countedPoints, estimatedPoints } from '../../../src/server/quota/costs.ts';

const ok = (body: unknown) => ({ status: 200, body });

test('calls are estimated at their likely maximum', () => {
  expect(estimatedPoints({ name: 'checkPermissions' })).toBe(3);
  expect(estimatedPoints({ name: 'readIssue' })).toBe(2);
  expect(estimatedPoints({ name: 'readMyself' })).toBe(3);
  expect(estimatedPoints({ name: 'writeProperty' })).toBe(1);
  expect(estimatedPoints({ name: 'makeIssue' })).toBe(1);
  expect(estimatedPoints({ name: 'searchIssues', query: { maxResults: '50' } })).toBe(51);
  expect(estimatedPoints({ name: 'findHolders', query: { maxResults: '1000' } })).toBe(101);
  expect(estimatedPoints({ name: 'readIssues', json: { issueIdsOrKeys: ['1', '2'] } })).toBe(3);
  expect(estimatedPoints({ name: 'readIssues', json: 'nothing of that kind' })).toBe(1);
});

test('costs are counted by the content of the answer, and unreadable content costs nothing', () => {
  expect(countedPoints('searchIssues', ok({ issues: [{}, {}, {}] }))).toBe(4);
  expect(countedPoints('searchIssues', ok({ issues: 'none' }))).toBe(1);
  expect(countedPoints('searchIssues', ok(undefined))).toBe(1);
  expect(countedPoints('findHolders', ok([{}, {}]))).toBe(5);
  expect(estimatedPoints({ name: 'readNames', query: { accountId: ['a', 'b'], maxResults: '2' } })).toBe(5);
  expect(countedPoints('listProjects', ok({ values: [{}] }))).toBe(2);
  expect(countedPoints('readIssue', ok({}))).toBeUndefined();
});

test('a refused call costs its base price', () => {
  expect(countedPoints('readIssue', { status: 404, body: {} })).toBe(1);
  expect(countedPoints('searchIssues', { status: 429, body: {} })).toBe(1);
});
