import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestText } from '../../../../src/server/events/notifications/digest-text.ts';
import { localDay } from '../../../../src/server/events/notifications/find-due.ts';
import { runs } from '../../../run/seed.ts';

const SITE = 'https://site.example.net';
const assigned = (text: string) => ({ kind: 'ASSIGNED' as const, text, index: 0 });

test('a digest has a part for each kind, the link of the issue, and where to change it', () => {
  const items = [assigned('Write tests'), { kind: 'OVERDUE' as const, text: 'Ship 2026-11-20', index: 1 }];
  const { text } = digestText(SITE, { issue: '10001', key: null, items }, []);
  expect(text).toContain('Assigned to you\n- Write tests\n\nOverdue\n- Ship 2026-11-20');
  expect(text).toContain('Open the issue: https://site.example.net/issues/?jql=id%20in%20(10001)');
  expect(text).toContain('Notifications');
  expect(text).not.toContain('other issue');
});

test('the issue is linked by its key, and who assigned an item by the profile', () => {
  const items = [{ ...assigned('Write tests'), by: 'ana:1' }, assigned('Ship')];
  const { text, html } = digestText(SITE, { issue: '10001', key: 'WEB-3', items }, []);
  const profile = `${SITE}/jira/people/ana%3A1`;
  expect(text).toContain(`- Write tests (see who assigned it: ${profile})\n- Ship\n`);
  expect(text).toContain('Open WEB-3: https://site.example.net/browse/WEB-3');
  expect(html).toContain(`<li>Write tests (<a href="${profile}">see who assigned it</a>)</li>`);
  expect(html).toContain('<li>Ship</li>');
});

test('who assigned an item is named, if the name is known', () => {
  const items = [
    { ...assigned('Write tests'), by: 'ana:1' },
    { ...assigned('Ship'), by: 'ben' },
  ];
  const names = new Map([['ana:1', 'Anna <Example>']]);
  const { text, html } = digestText(SITE, { issue: '10001', key: 'WEB-3', items }, [], names);
  const profile = `${SITE}/jira/people/ana%3A1`;
  expect(text).toContain(
    `- Write tests (assigned by Anna <Example>: ${profile})\n- Ship (see who assigned it: ${SITE}/jira/people/ben)`,
  );
  expect(html).toContain(`<li>Write tests (<a href="${profile}">assigned by Anna &#60;Example&#62;</a>)</li>`);
});

test('items of other issues are counted, not named: their readers may be others', () => {
  const other = { issue: '10002', key: null, items: [assigned('hidden'), assigned('too')] };
  const { text, html } = digestText(SITE, { issue: '10001', key: null, items: [assigned('a')] }, [
    other,
    { ...other, issue: '3' },
  ]);
  expect(text).toContain(
    '4 more items in 2 other issues: https://site.example.net/issues/?jql=id%20in%20(10002%2C%203)',
  );
  for (const part of [text, html]) expect(part).not.toContain('hidden');
});

test('a long digest says how many items it leaves out', () => {
  const items = Array.from({ length: 25 }, (_, index) => assigned(`item ${index}`));
  const { text } = digestText(SITE, { issue: '1', key: null, items }, []);
  expect(text).toContain('item 19');
  expect(text).not.toContain('item 20');
  expect(text).toContain('And 5 more.');
});

test('no text of an item becomes markup', () => {
  fc.assert(
    fc.property(fc.string(), words => {
      const { html } = digestText(SITE, { issue: '1', key: null, items: [assigned(`<b>${words}"'&`)] }, []);
      const list = /<li>(.*?)<\/li>/s.exec(html)?.[1] ?? '';
      expect(list).not.toMatch(/[<>"']/);
      expect(list.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))).toBe(`<b>${words}"'&`);
    }),
    runs(200),
  );
});

test('the day is that of the zone', () => {
  const time = Date.UTC(2026, 10, 25, 22, 30);
  expect(localDay(time, 'Europe/Berlin')).toEqual({ day: '2026-11-25', hour: 23 });
  expect(localDay(time, 'Asia/Tokyo')).toEqual({ day: '2026-11-26', hour: 7 });
  expect(localDay(time, 'America/Los_Angeles')).toEqual({ day: '2026-11-25', hour: 14 });
  expect(localDay(Date.UTC(2026, 10, 25), 'UTC')).toEqual({ day: '2026-11-25', hour: 0 });
  expect(localDay(time, 'No/Where')).toEqual({ day: '2026-11-25', hour: 22 });
});
