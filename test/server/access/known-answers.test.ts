import { expect, test } from 'vitest';
import type { Answer } from '../../../src/server/access/grants.ts';
import { createDoubts, createKnownAnswers } from '../../../src/server/access/known-answers.ts';
import type { Caller } from '../../../src/server/platform/tokens.ts';

const callerAt = (id: string, account = 'ana'): Caller => ({
  tenant: {
    ...{ id, url: 'https://site.example.net', secret: undefined, forge: undefined, licensed: true, epoch: 'e' },
    ...{ statusVersion: 0, mirror: 'own', portal: { fallback: 'ALL', projects: new Map() } },
    settings: {
      ...{ manage_permissions_enabled: false, view_permissions_enabled: false, analytics_enabled: false },
      getting_started_template_id: null,
    },
  },
  account,
});
const known = (sees: Answer['sees'], asked = 0) => ({ asked, answer: { granted: new Set<string>(), sees } });

test('the newer answer about an issue replaces the other, and either is deleted', () => {
  const answers = createKnownAnswers();
  const ana = callerAt('site');
  answers.set(ana, '1', known('issue', 1));
  answers.set(ana, '1', known('nothing', 2));
  expect(answers.get(ana, '1')).toEqual(known('nothing', 2));
  answers.set(ana, '1', known('request', 3));
  expect(answers.get(ana, '1')).toEqual(known('request', 3));
  expect(answers.get(callerAt('site', 'bob'), '1')).toBeUndefined();
  expect(answers.get({ ...ana, frame: { issue: '1', shown: 0 } }, '1')).toBeUndefined();
  answers.delete(ana, '1');
  expect(answers.get(ana, '1')).toBeUndefined();
});

test('doubts that are too many to be kept concern all issues of their site, and of no other', () => {
  const doubts = createDoubts(3);
  for (let time = 1; time <= 5; time += 1) doubts.set('loud', `${time}`, time);
  doubts.set('quiet', '1', 6);
  expect(doubts.isDoubted('loud', 'another', 3)).toBe(true);
  expect(doubts.isDoubted('loud', 'another', 4)).toBe(false);
  expect(doubts.isDoubted('loud', '5', 5)).toBe(true);
  expect(doubts.isDoubted('quiet', '1', 6)).toBe(true);
  expect(doubts.isDoubted('quiet', '2', 0)).toBe(false);
  doubts.setAll(7);
  expect(doubts.isDoubted('quiet', '2', 7)).toBe(true);
  expect(doubts.isDoubted('quiet', '2', 8)).toBe(false);
  // What was doubted later stays so.
  doubts.set('quiet', '3', 9);
  doubts.setAll(8);
  expect(doubts.isDoubted('quiet', '3', 9)).toBe(true);
});
