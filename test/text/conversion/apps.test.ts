import { expect, test } from 'vitest';
import { losses } from '../../../src/domain/messages.ts';
import { convert } from '../../../src/text/convert.ts';

/** Lists as apps copy and export them, with the checklist that each becomes. */
const lists: readonly (readonly [string, string, string])[] = [
  [
    'Jira wiki with panel and colour',
    'h3. Acceptance criteria\n{panel:title=Must}\n* (/) *Login* works with {color:#d04437}SSO{color}\n* (x) Logout clears the session\n* (!) Timeout warns\n{panel}\n# Step one\\\\with a break\n# Step two [docs|https://confluence.example/x]',
    '### Acceptance criteria\n+ **Login** works with SSO\n- Logout clears the session\n- (!) Timeout warns\n- Step one with a break\n- Step two [docs](https://confluence.example/x)',
  ],
  [
    'GitHub issue form',
    "### Prerequisites\n\n- [X] I have searched [existing issues](https://github.com/x/y/issues)\n- [ ] I can reproduce it\n\n### Steps\n\n1. Go to '...'\n2. Click on `Save`\n\n<!-- Please don't delete -->\n\n### Version\n\n_No response_",
    "### Prerequisites\n+ I have searched [existing issues](https://github.com/x/y/issues)\n- I can reproduce it\n### Steps\n- Go to '...'\n- Click on `Save`\n### Version\n- _No response_",
  ],
  [
    'Notion page as Markdown',
    '# Sprint 12\n\n- [x]  Kickoff\n- [ ]  Design\n    - [ ]  Wireframes\n    - [x]  Tokens\n- Owner: @Jane\n\n[Retro](Retro%20123.md)',
    '# Sprint 12\n+ Kickoff\n- Design\n- Wireframes\n+ Tokens\n- Owner: @Jane\n- [Retro](Retro%20123.md)',
  ],
  [
    'Notion database as CSV',
    '﻿Name,Assign,Due,Status,Tags\nWrite spec,Jane Doe,"March 3, 2026",In progress,Docs\nShip it,,,Done,',
    '~ Write spec 2026-03-03\n> Assignee: Jane Doe\n+ Ship it',
  ],
  [
    'Trello board as CSV',
    'Card ID,Card URL,Card Name,Card Description,Labels,Members,Due Date,List Name,Checklist Item Total Count,Archived\n65f1,https://trello.com/c/abc,Plan party,Invite all,red,Ann Lee (annlee),2026-02-03T10:00:00.000Z,Doing,0,false\n65f2,https://trello.com/c/abd,Buy cake,,,,,Done,0,false',
    '## Doing\n- Plan party 2026-02-03\n> Invite all\n> Assignee: Ann Lee (annlee)\n> Card URL: https://trello.com/c/abc\n## Done\n- Buy cake\n> Card URL: https://trello.com/c/abd',
  ],
  [
    'a column of progress beside the title',
    'Task,Done,Notes\nA,in progress,x\nB,n/a,y\nC,50%,z\nD,no,\n',
    '~ A\n> x\nx B\n> y\n~ C\n> z\n- D',
  ],
  [
    'people whose name is in the title, in another word or as one',
    'Task,Assignee,Status\nAnnual report,Ann,Open\nCall Bob back,Bob,Open\nAsk @eve,eve,Open\n',
    '- Annual report @Ann\n- Call Bob back @Bob\n- Ask @eve',
  ],
  [
    'Excel, German',
    'Nr.\tAufgabe\tVerantwortlich\tFällig\tErledigt\n1\tAngebot prüfen\tMüller\t12.03.2026\tx\n2\tVertrag schicken\t\t\t',
    '+ Angebot prüfen @Müller 12.03.2026\n- Vertrag schicken',
  ],
  [
    'Org',
    '* Groceries [1/2]\n- [X] Milk\n- [ ] Eggs :: free range\n* TODO [#A] Call mom :phone:\n  SCHEDULED: <2026-03-01 Sun>\n** DONE Pay rent\n   CLOSED: [2026-02-01 Sun 10:00]',
    '# Groceries\n+ Milk\n- Eggs :: free range\n- Call mom\n> SCHEDULED: <2026-03-01 Sun>\n+ Pay rent\n> CLOSED: [2026-02-01 Sun 10:00]',
  ],
  [
    'Chinese plan',
    '一、准备工作\n1、检查清单\n2、通知客户（@张三）\n二、上线\n□ 部署\n☑ 回滚方案',
    '- 一、准备工作\n- 检查清单\n- 通知客户（@张三）\n- 二、上线\n- 部署\n+ 回滚方案',
  ],
  [
    'Japanese memo',
    '買い物\n・牛乳を買う\n・卵\n\n手順\n１．申請書を書く\n２．提出する',
    '- 買い物\n- 牛乳を買う\n- 卵\n- 手順\n- 申請書を書く\n- 提出する',
  ],
  [
    'Confluence page as shown',
    '<ul class="inline-task-list" data-inline-tasks-content-id="1"><li class="checked" data-inline-task-id="5"><span class="placeholder-inline-tasks">Order the cake</span></li><li data-inline-task-id="6">Invite all</li></ul><table class="confluenceTable"><tbody><tr><th>#</th><th>Check</th><th>Done?</th></tr><tr><td>1</td><td>Backup</td><td>✅</td></tr><tr><td>2</td><td>Restore</td><td>❌</td></tr></tbody></table>',
    '+ Order the cake\n- Invite all\n+ Backup\n- Restore',
  ],
  [
    'Google Keep (Takeout)',
    '{"color":"DEFAULT","isTrashed":false,"isPinned":false,"isArchived":false,"listContent":[{"text":"Milk","isChecked":true},{"text":"Eggs","isChecked":false}],"title":"Shopping","userEditedTimestampUsec":1580000000000000}',
    '# Shopping\n+ Milk\n- Eggs',
  ],
  [
    'ClickUp CSV',
    'Task Type,Task ID,Task Name,Task Content,Status,Date Created,Due Date,Assignees,Priority,List Name\ntask,86a1,Prepare demo,Slides and script,to do,1764000000000,1767225600000,[Ann Lee],null,Launch\ntask,86a2,Send invites,,complete,1764000000000,,[],null,Launch',
    '## Launch\n- Prepare demo 2026-01-01\n> Slides and script\n> Assignee: Ann Lee\n+ Send invites',
  ],
  [
    'Linear CSV',
    '"ID","Team","Title","Description","Status","Estimate","Priority","Creator","Assignee","Labels","Due Date"\n"ENG-1","Engineering","Fix login","Token expires too early","In Progress","","Urgent","ann@x.com","ann@x.com","Bug","2026-03-01"\n"ENG-2","Engineering","Write docs","","Backlog","","No priority","ann@x.com","","",""',
    '~ Fix login 2026-03-01\n> Token expires too early\n> Assignee: ann@x.com\n- Write docs',
  ],
  [
    'Jira CSV',
    'Summary,Issue key,Issue id,Status,Assignee,Due date,Description\nFix it,WEB-1,10001,To Do,Ann Lee,01/Mar/26 12:00 AM,Because\nShip it,WEB-2,10002,Done,,,',
    '- WEB-1 Fix it 2026-03-01\n> Because\n> Assignee: Ann Lee\n+ WEB-2 Ship it',
  ],
  [
    'Obsidian callout',
    '> [!todo] Release\n> - [ ] Tag it\n> - [x] Build it\n\n> [!NOTE]\n> Read this first',
    '- [!todo] Release\n- Tag it\n+ Build it\n> [!NOTE]\n> Read this first',
  ],
  [
    'table of a pull request',
    '| Check | Result |\n|:--|:--:|\n| Tests pass | :white_check_mark: |\n| Docs written | :x: |',
    '+ Tests pass\n- Docs written',
  ],
  [
    'reStructuredText',
    'Release\n=======\n\n#. Tag the build\n#. Upload it\n\n* Tell *everyone*',
    '# Release\n- Tag the build\n- Upload it\n- Tell *everyone*',
  ],
  [
    'Microsoft Project',
    'Task Name\tDuration\tStart\tFinish\t% Complete\nPour concrete\t3 days\tMon 02.03.26\tWed 04.03.26\t100%\nPaint the wall\t1 day\tThu 05.03.26\tThu 05.03.26\t25%\nClean up\t1 day\tFri 06.03.26\tFri 06.03.26\t0%',
    '+ Pour concrete\n~ Paint the wall\n- Clean up',
  ],
  [
    'Basecamp to-dos',
    '<ul class="todos"><li class="todo completed"><span class="checkbox"><input type="checkbox" checked></span><span class="todo__title"><a href="https://3.basecamp.com/1/todos/2">Send the invoice</a></span> <span class="assignees">Ann L.</span></li><li class="todo"><span class="checkbox"><input type="checkbox"></span><span class="todo__title">Call back</span></li></ul>',
    '+ [Send the invoice](https://3.basecamp.com/1/todos/2) Ann L.\n- Call back',
  ],
  [
    'OPML of an outliner',
    '<?xml version="1.0"?>\n<opml version="2.0">\n<head><title>Trip</title></head>\n<body>\n<outline text="Packing">\n<outline text="Passport" _complete="true" />\n<outline text="Tickets" _note="window seat&#10;no bags" />\n</outline>\n</body>\n</opml>',
    '# Trip\n- Packing\n+ Passport\n- Tickets\n> window seat\n> no bags',
  ],
  [
    'Microsoft To Do (JSON)',
    '{"value":[{"displayName":"Groceries","checklistItems":[{"displayName":"Milk","isChecked":true},{"displayName":"Eggs","isChecked":false}],"status":"notStarted","dueDateTime":{"dateTime":"2026-03-01T00:00:00","timeZone":"UTC"}}]}',
    '- Groceries 2026-03-01\n+ Milk\n- Eggs',
  ],
  ['a list of texts (JSON)', '["[x] Plan","[ ] Build","☐ Ship"]', '+ Plan\n- Build\n- Ship'],
  [
    'a table of Jira with signs in cells',
    '||Step||Owner||Status||\n|Install|[~ann]|(/)|\n|Verify|[~bob]|(x)|',
    '+ Install @ann\n- Verify @bob',
  ],
];

test.each(lists)('%s', (_, input, expected) => {
  expect(convert(input, 'auto').text).toBe(expected);
});

test('a number of another kind than that of a list stays in the words', () => {
  const lines = ['1.5倍にする', '3.11の日', '10）', '2026、2027', 'v1.準備', '#.js files'];
  expect(convert(lines.join('\n'), 'auto').text).toBe(lines.map(line => `- ${line}`).join('\n'));
});

test('a column of ticks and crosses below a name that says nothing is the status of each row, and other cells are kept', () => {
  const { text, lost } = convert(
    '| Task | Owner | Phase 1 |\n|---|---|---|\n| Plan | ana | ✔️ |\n| Build | ben | ❌ |\n| Ship | | |',
    'auto',
  );
  expect(text).toBe('+ Plan @ana\n- Build @ben\n- Ship');
  expect(lost).toEqual([{ what: losses.column, line: 1, text: 'Phase 1' }]);
});

test('a red cross in a column of the status is no tick', () => {
  expect(convert('Task,Done\nPlan,:white_check_mark:\nBuild,:x:\nTest,x\nShip,✗', 'auto').text).toBe(
    '+ Plan\n- Build\n+ Test\n- Ship',
  );
});

test.each([
  ['a shortcode', ':constructor: a', '- :constructor: a'],
  ['an element', '- a <constructor>b</constructor>', '- a <constructor>b</constructor>'],
  ['a tag', 'Work:\n\t- a @constructor\n\t- b @done', '# Work\n- a\n+ b'],
  ['a cell', '||constructor||toString||\n|valueOf|constructor|', '## constructor – toString\n- valueOf – constructor'],
])('%s that is called like a part of every object is text', (_, input, expected) => {
  expect(convert(input, 'auto').text).toBe(expected);
});
