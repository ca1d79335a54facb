import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { calendar } from '../../../src/editor/complete/calendar.ts';
import { dates } from '../../../src/editor/complete/dates.ts';
import { addDays, addMonths, dayAfterSteps, dayOfWords, endOfMonth } from '../../../src/editor/complete/days.ts';
import { dayOfPhrase } from '../../../src/editor/complete/phrases.ts';
import { isIsoDay } from '../../../src/text/references.ts';
import { runs } from '../../run/seed.ts';
import { chosen, fakeProvider, labels, offered, readOnly, refusals, TODAY } from './offers.ts';

test('two slashes offer the next days by name', async () => {
  const result = await offered(dates, '- a //|');
  expect(result?.options.map(({ label, detail }) => `${label}: ${detail}`)).toEqual([
    'Today: Sunday 22 November',
    'Tomorrow: Monday 23 November',
    'Tuesday: Tuesday 24 November',
    'Wednesday: Wednesday 25 November',
    'Thursday: Thursday 26 November',
    'Friday: Friday 27 November',
    'Saturday: Saturday 28 November',
    'Sunday: Sunday 29 November',
    'End of month: Monday 30 November',
  ]);
});

test.each([
  ['//tom', 'Tomorrow', '2026-11-23'],
  ['//FRI', 'Friday', '2026-11-27'],
  ['//end of', 'End of month', '2026-11-30'],
  ['//month', 'End of month', '2026-11-30'],
  ['//+3d', /^Wednesday/, '2026-11-25'],
  ['//2w', /^Sunday/, '2026-12-06'],
  ['//+3 months', /^Monday.* 2027/, '2027-02-22'],
  ['//next friday', /November/, '2026-11-27'],
  ['//in 10 days', /December/, '2026-12-02'],
  ['//24 december', /December/, '2026-12-24'],
  ['//03/04/2027', /April/, '2027-04-03'],
  ['//sunday', /Sunday/, '2026-11-29'],
  ['//3/4/28', /April/, '2028-04-03'],
  ['//24.12.', /December/, '2026-12-24'],
  ['//12/03', /March/, '2027-03-12'],
])('%s is a fixed day', async (typed, label, day) => {
  expect(await chosen(dates, `- a ${typed}|`, label)).toBe(`- a ${day} |`);
});

test.each([
  ['- a 01/12/2026 //tod|', '- a 01/12/2026 22/11/2026 |'],
  ['- a //tod| by 1.1.2026 01.12.2026', '- a 22.11.2026| by 1.1.2026 01.12.2026'],
  ['- 2026.12.01\n> detail //tod|', '- 2026.12.01\n> detail 2026.11.22 |'],
  ['- 01/12/2026\n- b //tod|', '- 01/12/2026\n- b 2026-11-22 |'],
  ['//tod|', '2026-11-22 |'],
])('the day in %j is written as the row writes its own', async (text, after) => {
  expect(await chosen(dates, text, 'Today')).toBe(after);
});

test.each([
  ...refusals('//tod'),
  '- https://tod|',
  '- a/b//tod|',
  '- ///tod|',
  '- // no day at all|',
  '- //deploy on friday|',
  '- //friday or saturday|',
  '- //31.02.2027|',
  '- //12/31|',
  '- //29/02/2027|',
  '- //+9999y|',
])('%j asks for no day', async text => expect(await offered(dates, text)).toBeNull());

test('a text that cannot be changed offers none', async () => {
  expect(await offered(dates, '//|', { extensions: readOnly })).toBeNull();
});

test('the list ends with a calendar where there is one', async () => {
  const extensions = calendar.of(() => () => undefined);
  expect(labels(await offered(dates, '//|', { extensions })).at(-1)).toBe('Pick a date…');
  expect(labels(await offered(dates, '//tom|', { extensions }))).toEqual(['Tomorrow', 'Pick a date…']);
  expect(await offered(dates, '//nonsense|', { extensions })).toBeNull();
});

test.each([
  ['next fri', '2026-11-27'],
  ['in 2 weeks', '2026-12-06'],
  ['Tom', '2026-11-23'],
  ['mon', '2026-11-23'],
  ['fr', '2026-11-27'],
  ['t', undefined],
  ['29/02', '2028-02-29'],
  ['22.11', '2026-11-22'],
  ['21.11', '2027-11-21'],
  ['2150-01-01', '2150-01-01'],
  ['2250-01-01', undefined],
  ['', undefined],
  ['at once', undefined],
])('“%s” means %s', async (phrase, day) => expect(await dayOfWords(phrase, TODAY)).toBe(day));

test('days are reckoned over months and years', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
  expect(addMonths('2026-11-30', 3)).toBe('2027-02-28');
  expect(endOfMonth('2028-02-10')).toBe('2028-02-29');
  expect(dayAfterSteps('-1d', TODAY)).toBe('2026-11-21');
  expect(dayAfterSteps('3 apples', TODAY)).toBeUndefined();
});

test('whatever is typed offers days that the language knows, or nothing', async () => {
  const words = [
    'next',
    'last',
    'friday',
    '3',
    'weeks',
    'ago',
    '31',
    '/',
    '99',
    'feb',
    'noon',
    '-',
    '+',
    'd',
    'year',
    '.',
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...words), { maxLength: 5 }), async parts => {
      const phrase = parts.join(' ');
      const day = dayOfPhrase(phrase, TODAY);
      const result = await offered(dates, `- a //${phrase}|`);
      for (const { label } of result?.options ?? []) {
        const text = await chosen(dates, `- a //${phrase}|`, label);
        expect(isIsoDay(text.slice('- a '.length, -2))).toBe(true);
      }
      expect(day === undefined || /^-?\d{4,}-\d{2}-\d{2}$/.test(day)).toBe(true);
    }),
    runs(60),
  );
});

test('days that were picked before come first while they are not over, and what is picked is remembered', async () => {
  const used = vi.fn();
  const recent = () => ['2026-12-24', '2026-11-01', 'Tomorrow', 'End of month'];
  const provider = fakeProvider({ recent, used });
  expect(labels(await offered(dates, '- //|', { provider })).slice(0, 4)).toEqual([
    'Thursday 24 December',
    'Tomorrow',
    'End of month',
    'Today',
  ]);
  expect(await chosen(dates, '- //|', 'Thursday 24 December', { provider })).toBe('- 2026-12-24 |');
  await chosen(dates, '- //|', 'Today', { provider });
  expect(used.mock.calls).toEqual([
    ['days', '2026-12-24'],
    ['days', 'Today'],
  ]);
});
