import { expect, test } from 'vitest';
import { dayOfPhrase } from '../../src/editor/complete/phrases.ts';
import { setToday } from '../../src/text/convert/table/day-of-cell.ts';
import { convert } from '../../src/text/convert.ts';

const text = (input: string, from: Parameters<typeof convert>[1]) => convert(input, from).text;
const lost = (input: string, from: Parameters<typeof convert>[1]) => convert(input, from).lost.map(loss => loss.text);

test('task lists of GitHub and GitLab', () => {
  const input = [
    '## Release <!-- fill in -->',
    'Before the *day*:',
    '',
    '- [ ] Write notes',
    '  more about it',
    '  - [x] Collect **changes**',
    '* [X] Tag',
    '+ Announce',
    '1. [~] Fax',
    '> quoted',
    '',
    'A paragraph.',
    '',
    'Afterwards',
    '---',
    '- [ ] ![shot](https://a.b/c.png) look',
    '- [ ] __loud__ snake\\_case `__x__` <https://a.b/c_d>',
    '```sh',
    'npm test',
    '```',
  ].join('\n');
  expect(text(input, 'auto')).toBe(
    [
      '## Release',
      '> Before the *day*:',
      '- Write notes',
      '> more about it',
      '+ Collect **changes**',
      '+ Tag',
      '- Announce',
      'x Fax',
      '> quoted',
      '- A paragraph.',
      '## Afterwards',
      '- look',
      '- **loud** snake_case `__x__` https://a.b/c_d',
      '> `npm test`',
    ].join('\n'),
  );
  expect(convert(input, 'auto').notation).toBe('github');
  expect(lost(input, 'auto')).toEqual(['fill in', '- [x] Collect **changes**', 'shot https://a.b/c.png', 'sh']);
});

test('GitHub: tags, characters by name, addresses kept apart and quoted tasks', () => {
  const input = [
    '<details>',
    '<summary>More</summary>',
    '',
    '- [ ] a<br>b <b>bold</b> <kbd>x</kbd> `<b>` \\<b>',
    '- [x] see <a href="https://a.b/c">here</a>, [docs][1], [Guide][] and [1]',
    '- [ ] 1 &lt; 2 &amp;&#33; \\&amp; <img src="s.png" alt="shot"> <a href="#x">top</a>',
    '',
    '![only an image](a.png)',
    '</details>',
    '',
    '> - [ ] quoted',
    '> 1. [x] done',
    '> no task',
    '',
    '[1]: https://a.b/1 "One"',
    '[guide]: <https://a.b/2>',
    '[2]: https://a.b/3',
  ].join('\n');
  expect(text(input, 'auto')).toBe(
    [
      '- More',
      '- a b **bold** `x` `<b>` <b>',
      '+ see [here](https://a.b/c), [docs](https://a.b/1), [Guide](https://a.b/2) and [1](https://a.b/1)',
      '- 1 < 2 &! &amp;  top',
      '- quoted',
      '+ done',
      '> no task',
      '- [2]: https://a.b/3',
    ].join('\n'),
  );
  expect(convert(input, 'auto').notation).toBe('github');
  expect(lost(input, 'auto')).toEqual(['shot s.png', '#x', 'only an image a.png', 'One']);
});

test('a Markdown table gives an item a row', () => {
  expect(text('| A | B |\n|---|---|\n| one | two |', 'github')).toBe('## A – B\n- one – two');
  expect(text('| Task | Done |\n|:--|--:|\n| one | x |\n| two | |', 'github')).toBe('+ one\n- two');
  expect(text('Task | Done\n--- | ---\none | x\ntwo |\n\nend', 'auto')).toBe('+ one\n- two\n- end');
});

test('Issue Checklist', () => {
  const input =
    '# Default checklist\n--- Before\n[x] done one\n>> described\n[] open\n- [] ? optional\n* plain\nbare\n---\n';
  expect(text(input, 'auto')).toBe(
    '# Default checklist\n## Before\n+ done one\n> described\n- open\n- optional\n- plain\n- bare',
  );
  expect(convert(input, 'auto').notation).toBe('issue-checklist');
  expect(lost(input, 'auto')).toEqual(['- [] ? optional']);
});

test.each([
  ['* [x]? text', '+ text'],
  ['* [ ]? text', '- text'],
  ['- [x]? text', '+ text'],
  ['[X]? text', '+ text'],
  ['[]? text', '- text'],
  ['*? text', '- text'],
  ['* ? text', '- text'],
])('an optional item of Issue Checklist is an item in any of its notations: %j', (input, text) => {
  expect(convert(input, 'issue-checklist').text).toBe(text);
  expect(convert(input, 'auto').text).toBe(text);
});

test.each(['is [x]? a box', '? what is it', '[x](https://example.com)? yes'])('a question stays one: %j', input => {
  expect(convert(input, 'auto').text).toBe(`- ${input}`);
});

test('wiki markup', () => {
  const input = [
    'h2. Deploy',
    '* (/) *Back up* the _data_',
    '** (x) Ask [~accountid:ab:1] and [~joe]',
    '# -old- {{make *all*}} [docs|https://a.b/c]',
    'bq. why',
    '* see [^plan.pdf] !shot.png|thumbnail!',
    '* {color:red}red{color} \\*star\\*',
    '{code:sh}',
    'npm test',
    '{code}',
    '',
    '||Task||Status||',
    '|Pack|In Progress|',
    '|Send|Blocked|',
  ].join('\n');
  expect(text(input, 'auto')).toBe(
    [
      '## Deploy',
      '+ **Back up** the _data_',
      '- Ask [~accountid:ab:1] and @joe',
      '- ~~old~~ `make *all*` [docs](https://a.b/c)',
      '> why',
      '- see',
      '- red *star*',
      '> `npm test`',
      '~ Pack',
      '- [Blocked] Send',
    ].join('\n'),
  );
  expect(convert(input, 'auto').notation).toBe('wiki');
  expect(lost(input, 'auto')).toEqual([
    '** (x) Ask [~accountid:ab:1] and [~joe]',
    'plan.pdf',
    'shot.png|thumbnail',
    'sh',
    'Blocked',
  ]);
});

test('wiki markup: macros, line breaks, characters by name', () => {
  const input =
    'h1. A\n{expand:More}\n* in {info}\n{expand}\n!only.png!\n* one\\\\two &#92;&nbsp;x\n{note}\n* note\n{note}\n';
  expect(text(input, 'wiki')).toBe('# A\n- in {info}\n- one two \\ x\n- note');
  expect(lost(input, 'wiki')).toEqual(['More', 'only.png']);
});

test('Org: days on one line, counters and tables', () => {
  const input = [
    '* TODO Pay',
    'SCHEDULED: <2026-01-01 Thu> DEADLINE: <2026-01-02 Fri>',
    '* TODO Weekly',
    'DEADLINE: <2026-01-02 Fri +1w>',
    '1. [@5] [ ] five',
    '| Task | State |',
    '|------+-------|',
    '| a =b= | done |',
  ].join('\n');
  expect(text(input, 'auto')).toBe(
    [
      '- Pay 2026-01-02',
      '> SCHEDULED: <2026-01-01 Thu>',
      '- Weekly',
      '> DEADLINE: <2026-01-02 Fri +1w>',
      '- five',
      '+ a `b`',
    ].join('\n'),
  );
  expect(convert(input, 'auto').notation).toBe('org');
});

test('Org', () => {
  const input = [
    '#+TITLE: Plan',
    '* Weekend [1/3] :home:',
    '- [X] Buy =milk=',
    '- [-] Clean [50%]',
    '  - [ ] Windows',
    '** TODO [#A] Call *mum*',
    'DEADLINE: <2026-11-20 Fri>',
    ':PROPERTIES:',
    ':ID: 12',
    ':END:',
    '** DONE Sleep',
    '** WAITING Post',
    'See [[https://a.b][there]].',
  ].join('\n');
  expect(text(input, 'auto')).toBe(
    [
      '# Plan',
      '# Weekend',
      '+ Buy `milk`',
      '~ Clean',
      '- Windows',
      '- Call **mum** 2026-11-20',
      '+ Sleep',
      '- [WAITING] Post',
      '> See [there](https://a.b).',
    ].join('\n'),
  );
  expect(convert(input, 'auto').notation).toBe('org');
  expect(lost(input, 'auto')).toEqual([':home:', '[1/3]', '[50%]', '- [ ] Windows', '[#A]', ':ID: 12', 'WAITING']);
});

test('TaskPaper', () => {
  const input =
    'Garden:\n\t- Mow @done\n\t- Plant @due(2026-11-20) @flag\n\t\tin rows\n\tShed:\n\t\t- Paint @cancelled';
  expect(text(input, 'auto')).toBe('# Garden\n+ Mow\n- Plant 2026-11-20\n> in rows\n## Shed\nx Paint');
  expect(convert(input, 'auto').notation).toBe('taskpaper');
  expect(lost(input, 'auto')).toEqual(['@flag']);
});

test('cells under names that we know', () => {
  const input =
    'Issue key,Summary,Status,Assignee,Due,Priority,Notes\n' +
    'AB-1,"Say ""hi"", twice",In Progress,jane,2026-11-20,High,"one\ntwo"\n' +
    'AB-2,Rest,Blocked,Jane Doe,soon,,\n';
  expect(text(input, 'auto')).toBe(
    [
      '~ AB-1 Say "hi", twice @jane 2026-11-20',
      '> one',
      '> two',
      '- [Blocked] AB-2 Rest',
      '> Assignee: Jane Doe',
      '> Due: soon',
    ].join('\n'),
  );
  expect(convert(input, 'auto').notation).toBe('csv');
  expect(convert(input, 'auto').lost).toEqual([
    expect.objectContaining({ line: 2, text: 'Priority: High' }),
    expect.objectContaining({ line: 4, text: 'Blocked' }),
  ]);
});

test.each([
  ['Task\tDue\nPay\t12 Dec 2026', '2026-12-12'],
  ['Task\tTarget date\nPay\tDec 12th, 2026', '2026-12-12'],
  ['Task\tDate\nPay\tSat, 12 December 2026', '2026-12-12'],
  ['Task\tDeadline\nPay\t12/Dec/26 3:00 PM', '2026-12-12'],
  ['Task\tBy\nPay\t2026-12-12', '2026-12-12'],
  ['Task\tBy\nPay\tFriday', '2026-11-27'],
  ['Task\tDue\nPay\tby Friday', '2026-11-27'],
  ['Task\tDue\nPay\tnext Friday', '2026-12-04'],
  ['Task\tDue\nPay\tby next Mon.', '2026-11-30'],
  ['Task\tDue\nPay\ttomorrow', '2026-11-24'],
  ['Task\tDue\nPay\t1 March', '2027-03-01'],
  ['Aufgabe\tDatum\nZahlen\t12. Dezember 2026', '2026-12-12'],
  ['Aufgabe\tZieldatum\nZahlen\tbis Freitag', '2026-11-27'],
  ['Tâche\tDate cible\nPayer\t12 déc. 2026', '2026-12-12'],
  ['Tâche\tÉchéance\nPayer\tdemain', '2026-11-24'],
  ['Tarea\tFecha\nPagar\t12 de diciembre de 2026', '2026-12-12'],
  ['Tarefa\tData limite\nPagar\tsexta-feira', '2026-11-27'],
  ['タスク\t目標日\n支払い\t2026年12月12日', '2026-12-12'],
])('a day in words in a due column is the due date: %j', (input, day) => {
  setToday(() => '2026-11-23');
  expect(text(input, 'auto')).toMatch(new RegExp(`^- \\S+ ${day}$`));
});

test('a weekday of next week is the day that the editor takes for the same words', () => {
  for (let day = 20; day < 30; day++) {
    for (const weekday of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']) {
      const [today, words] = [`2026-11-${day}`, `next ${weekday}`];
      setToday(() => today);
      expect(text(`Task\tDue\nPay\t${words}`, 'auto'), `${words}, ${today}`).toBe(`- Pay ${dayOfPhrase(words, today)}`);
    }
  }
});

test.each([
  ['Task\tDate\tDue\nPay\t2026-01-02\t2026-12-12', '- Pay 2026-12-12'],
  ['Task\tStatus\tBy\nPay\tDone\tJane', '+ Pay'],
  ['Task\tDue\nPay\tMay or June', '- Pay\n> Due: May or June'],
  ['Task\tDue\nPay\t31 Feb 2027', '- Pay\n> Due: 31 Feb 2027'],
  ['Task\tStatus\tData\nPay\tDone\tthree rows', '+ Pay'],
  ['Task\tDate\tCompleted at\nPay\t2026-01-02\t2026-12-12', '+ Pay'],
])('a column that says something else gives none: %j', (input, expected) => {
  expect(text(input, 'auto')).toBe(expected);
});

test('what a separator line says, an account id as it is written, and what no column can mean', () => {
  const input = 'sep=;\nTask;Mandatory;Assignee;Status\na, b;maybe;[~accountid:x];Done\n';
  expect(convert(input, 'auto')).toEqual({ text: '+ a, b [~accountid:x]\n> maybe', notation: 'csv', lost: [] });
  const levels = 'Section,Level,Task\nA,1,x\nA,3,y\nB,High,z\n';
  expect(convert(levels, 'csv')).toMatchObject({
    text: '# A\n- x\n### A\n- y\n## B\n- z',
    lost: [{ text: 'level: High' }],
  });
  expect(lost('Task,Done,Level\na,x,1\n', 'csv')).toEqual(['Level: 1']);
});

test('cells between tabs, and a quote that never ends', () => {
  expect(convert('TRUE\tpack\tbags\nFALSE\tgo', 'auto')).toMatchObject({
    notation: 'csv',
    text: '+ pack – bags\n- go',
  });
  expect(text('a;b\n"c;d\n', 'csv')).toBe('- a – b\n- "c – d');
});

test('ordinary text keeps its lines', () => {
  const input =
    'Packing\n=======\n• socks\n  wool\n· shirt\no\tbelt\n▪ hat\n* coat\n– scarf\n1. tickets\n☐ ☐ odd\n☑ keys\n✓ phone\n[x] map\nx ray film\nlast';
  expect(convert(input, 'auto')).toMatchObject({
    notation: 'text',
    text: '# Packing\n- socks\n> wool\n- shirt\n- belt\n- hat\n- coat\n- scarf\n- tickets\n- ☐ odd\n+ keys\n+ phone\n+ map\n- x ray film\n- last',
    lost: [],
  });
});

test('checklist text stays as it is', () => {
  const input = '# A\n\n+ [QA FAILED] ! b\n> c\nx d\n~  e\n';
  expect(convert(input, 'auto')).toEqual({ text: input.trimEnd(), notation: 'text', lost: [] });
});

test.each(['- deploy {{name}}\n+ done', '## A\n# B\n- x', '- see <b>x</b>\n- y [1/2]', '# one\n## two\n# three'])(
  '%j is ours already',
  input => {
    expect(convert(input, 'auto')).toEqual({ text: input, notation: 'text', lost: [] });
  },
);

test('a quoted mail loses its quote marks', () => {
  expect(text('> - a\n> + b', 'auto')).toBe('- a\n+ b');
});

test.each([
  ['Buy milk, eggs\nCall mum, dad', 'text'],
  ['a <b> c\nx < y', 'text'],
  ['Use <li> here', 'text'],
  ['# a\n* b', 'text'],
  ['# Title\n## Groceries\n* milk', 'text'],
  ['# A\n## B\n- [ ] x', 'github'],
  ['- [ ] a<br>b\n- [ ] c', 'github'],
  ['Use <b>bold</b>\nthen go', 'github'],
  ['Hello<br>there', 'html'],
  ['<p>- [ ] a</p>', 'html'],
  ['> a\n>> b\nc', 'text'],
  ['Sub\n~~~\n- a', 'text'],
  ['- a (/)\n- (/) b', 'wiki'],
  ['- a @done', 'taskpaper'],
  ['- [-] a', 'org'],
  ['# [a|https://b.c]', 'wiki'],
  ['name,done\na,x', 'csv'],
  ['<ul><li>a</li></ul>', 'html'],
  ['* a\n* (/) b', 'wiki'],
  ['', 'text'],
])('%j is read as %s', (input, notation) => {
  expect(convert(input, 'auto').notation).toBe(notation);
});
