import { expect, test } from 'vitest';
import { fieldErrors, typingError } from '../../src/domain/fields.ts';
import * as messages from '../../src/domain/messages.ts';
import { findTexts, screens } from './find-texts.ts';

/** Wording that screens avoid, with what to write. */
const replaced: readonly (readonly [found: RegExp, write: string])[] = [
  [/\b(somebody|anybody|everybody|nobody|whoever)\b/i, 'someone, anyone, everyone, no one'],
  [/\b(by|of) (itself|themselves)\b/i, 'automatically'],
  [/\b(the|this) tracker('s|’s)?\b/i, 'Jira'],
  [/\bany more\b/i, 'no longer'],
  [/\bcould not be\b/i, "We couldn't …"],
  [/\b(is|are) gone\b/i, 'deleted, removed'],
  [/\b(anew|under way|meanwhile|likewise|alike|brought up to date)\b/i, 'again, running, also, updated'],
  [/\bsorry\b|!$/i, 'no apology, no exclamation mark'],
  [/^(yes|ok)$/i, 'the verb of the action'],
];

/** Texts that hold such a word for another reason: the cells of a table, an example. */
const legitimate = [/site-settings\.tsx: Yes$/, /guide\.ts: .*~~not any more~~/];

const texts = screens.flatMap(findTexts);

test('texts on screens use the wording of the glossary', () => {
  expect(texts.length).toBeGreaterThan(1_000);
  const found = texts.flatMap(({ path, line, text }) =>
    legitimate.some(each => each.test(`${path}: ${text}`))
      ? []
      : replaced.filter(([pattern]) => pattern.test(text)).map(([, write]) => `${path}:${line} "${text}": ${write}`),
  );
  expect(found).toEqual([]);
});

/** In the panel's first load, where a message that others share costs more than its text. */
const firstLoad = ['src/ui/checklist/checklist-view.tsx', 'src/ui/checklist/header.tsx'];

test('a sentence that several files show stands once, among the messages', () => {
  const places = new Map<string, Set<string>>();
  for (const { path, text } of texts) {
    const isShown = path.startsWith('src/ui/') || path.startsWith('src/domain/');
    if (isShown && !firstLoad.includes(path) && /^\p{Lu}\S* \S+ .*\.$/u.test(text))
      places.set(text, (places.get(text) ?? new Set()).add(path));
  }
  expect([...places].filter(([, paths]) => paths.size > 1).map(([text, paths]) => [text, ...paths])).toEqual([]);
});

/** Fixed word for word. */
const catalogue = {
  failures: [
    'Something went wrong.',
    'Could not create template.',
    'Could not delete template.',
    'Could not get templates.',
    'Could not update template.',
    'Could not create status.',
    'Could not delete status.',
    'Could not get statuses.',
    'Could not update status.',
    'Could not change statuses order.',
    'Could not add item.',
    'Could not clear checklist.',
    'Could not delete checklist item.',
    'Could not move item.',
    'Could not update checklist.',
    'Could not start synchronization.',
    'Could not move assignment.',
  ],
  successes: [
    'Template has been duplicated successfully.',
    'Template has been created successfully.',
    'Template has been deleted successfully.',
    'Status has been created successfully.',
    'Status has been deleted successfully.',
    'Status has been updated successfully.',
    'Statuses order has been changed successfully.',
    'Checklist has been cleared successfully.',
    'Checklist has been updated successfully.',
    'Synchronization has started succesfully.',
    'Import has started successfully.',
  ],
  limits: [
    'Reached maximum allowed items for Smart Checklist Free version',
    'Reached maximum allowed global templates for Smart Checklist Free version.',
    'Reached maximum allowed project templates for Smart Checklist Free version.',
    'Reached maximum allowed templates for Smart Checklist Free version.',
  ],
};

test('the messages of the specification stand word for word', () => {
  const { failures, managing, successes, limitReached, shell } = messages;
  const stringsOf = (module: object) => Object.values(module).filter(value => typeof value === 'string');
  expect([...stringsOf(failures), ...stringsOf(managing)].sort()).toEqual([...catalogue.failures].sort());
  expect(stringsOf(successes).sort()).toEqual([...catalogue.successes].sort());
  expect(stringsOf(limitReached).sort()).toEqual([...catalogue.limits].sort());
  expect(fieldErrors).toEqual({
    CHECKLIST_REQUIRED: "Checklist can't be empty.",
    NOT_UNIQUE: 'This is already taken.',
    REQUIRED: 'This field is required.',
    TOO_LONG: 'This is too long. It should be at most 140 characters long.',
    TOO_SHORT: 'Please lengthen this text to 3 characters or more.',
  });
  expect([typingError('REQUIRED'), typingError('TOO_LONG'), typingError('TOO_SHORT')]).toEqual([
    'This is required.',
    'Too long.',
    'Too short.',
  ]);
  expect(shell.chunkFailed('panel')).toBe('Loading chunk panel failed.');
  expect(shell.userBatchFailed).toBe('Failed to fetch batch of users');
  expect(shell.flagsOutsideProvider).toBe('useFeatureFlags must be used within a FeatureFlagsProvider');
});
