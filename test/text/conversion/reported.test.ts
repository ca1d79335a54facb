import { expect, test } from 'vitest';
import { convert } from '../../../src/text/convert.ts';

/** Inputs in the shapes of public bug reports about lists that were lost on the way between apps, read by what they are. */
const reported: readonly (readonly [string, string, string])[] = [
  [
    'Simple Notes',
    '[{"dateCreated":0,"id":0,"isDone":false,"title":"Check locks"},{"dateCreated":0,"id":1,"isDone":true,"title":"Feed cat"}]',
    '- Check locks\n+ Feed cat',
  ],
  [
    'Kanboard',
    '"Task Id",Reference,Project,Status,Category,Column,Position,"Due date",Creator,"Assignee Username",Title,"Completion date",Priority\n7,,Move,Open,,Backlog,1,2026-10-02,sam,ana,Rent a van,,0\n8,,Move,Closed,,Done,1,,sam,,Pack books,2026-09-01,0',
    '## Backlog\n- Rent a van @ana 2026-10-02\n## Done\n+ Pack books',
  ],
  [
    'CSV of a task manager',
    'title,description,priority,dueDate,project,labels,completed\nWrite spec,Two pages at most,HIGH,2026-11-02T00:00:00Z,Web,"a,b",true\nReview,,NONE,,Web,,false',
    '+ Write spec 2026-11-02\n> Two pages at most\n- Review',
  ],
  [
    'Toodledo',
    'TASK,FOLDER,CONTEXT,STARTDATE,DUEDATE,REPEAT,PRIORITY,TAG,STATUS,STAR,NOTE\nCall plumber,Home,Phone,,2026-12-01,None,2,,None,0,Ask for the price\nPay rent,Home,,,,Monthly,3,,None,0,',
    '- Call plumber 2026-12-01\n> Ask for the price\n- Pay rent',
  ],
  [
    'boxes in cells',
    '| Repo | Mac | Linux |\n|---|---|---|\n| alpha | [x] | [ ] |\n| beta | [x] | [x] |',
    '## Repo – Mac – Linux\n- alpha – [x] – [ ]\n- beta – [x] – [x]',
  ],
  [
    'a box as a list in a cell',
    '| Ready | What | Unit |\n| --- | ----- | --- |\n| <ul><li>- [ ] </li></ul> | Read I/O | int |\n| <ul><li>- [x] </li></ul> | Write I/O | ms |',
    '- Read I/O – int\n+ Write I/O – ms',
  ],
  [
    'a cell that begins with a box',
    '| Column | Other |\n| - | - |\n| cell | - [ ] none |\n\n- [x] one',
    '## Column – Other\n- cell – - [ ] none\n+ one',
  ],
  [
    'details with tasks in them',
    '<details open>\n<summary>Click to open</summary>\n\n- [ ] First\n- [x] Second\n    - [ ] Third\n\n</details>',
    '- Click to open\n- First\n+ Second\n- Third',
  ],
  ['a quoted task list', '> - [x] first task\n> - [ ] second task', '+ first task\n- second task'],
  ['labels behind boxes', '- [x] [Element 1]\n- [ ] [Element 2]', '+ [Element 1]\n- [Element 2]'],
  ['a list indented as code', '        - [ ] fixme\n        - [x] done', '- fixme\n+ done'],
  ['an empty box', '- [ ]\n- [x] one', '-\n+ one'],
  ['a box in a header', '# [x] this is done\n\n- [ ] rest', '# [x] this is done\n- rest'],
  [
    'links in a panel',
    'h1. Needs\n{panel:title=Spec}[https://wiki.example.org/p?id=7]{panel}\n* (/) read it',
    '# Needs\n> https://wiki.example.org/p?id=7\n+ read it',
  ],
  [
    'info and expand',
    '{info:title=Made by a tool}Do not edit{info}\n{expand:Meta}{code:json}{"kind":"x"}{code}{expand}\n* Check',
    '- Do not edit\n- `{"kind":"x"}`\n- Check',
  ],
  [
    'numbered wiki with bold',
    'h3. Steps\n# *first* item\n# second -old- item',
    '### Steps\n- **first** item\n- second ~~old~~ item',
  ],
  [
    'hyphens in wiki words',
    '* spring-cloud-starter on 2026-03-28\n* (/) a-b-c',
    '- spring-cloud-starter on 2026-03-28\n+ a-b-c',
  ],
  [
    'code in an item, several lines',
    '* Run {code:xml}<a>\n <b/>\n</a>{code}\n* (/) Check',
    '- Run\n> `<a>`\n> ` <b/>`\n> `</a>`\n+ Check',
  ],
  ['Org with large X', '- [X] checked\n- [ ] unchecked', '+ checked\n- unchecked'],
  [
    'Org project',
    '* Movies [1/2]\n- [X] Alien\n- [ ] Brazil\n** TODO Buy tickets\n   SCHEDULED: <2026-11-02 Mon>',
    '# Movies\n+ Alien\n- Brazil\n- Buy tickets\n> SCHEDULED: <2026-11-02 Mon>',
  ],
  [
    'Obsidian page',
    '# Linux Software\n\n## Portable\n\n- [ ] 1Password\n- [ ] Calibre',
    '# Linux Software\n## Portable\n- 1Password\n- Calibre',
  ],
  [
    'prose above nested tasks',
    'Today is a new day\n\n- [x] Publish — seems fine\n- [ ] Editor\n    - [ ] Select all\n    - [ ] Cursor',
    '- Today is a new day\n+ Publish — seems fine\n- Editor\n- Select all\n- Cursor',
  ],
  ['ballot boxes in bullets', '* ☐ First\n* ☑ Second\n* ☐ Third', '- First\n+ Second\n- Third'],
  ['numbers before boxes', '1. [ ] Buy\n2. [x] Cook\n3. [ ] Eat', '- Buy\n+ Cook\n- Eat'],
  [
    'Confluence tasks',
    '<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>incomplete</ac:task-status><ac:task-body><span class="placeholder-inline-tasks">Do it until <time datetime="2026-02-24" /></span></ac:task-body></ac:task><ac:task><ac:task-id>2</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body>Done it</ac:task-body></ac:task></ac:task-list>',
    '- Do it until 2026-02-24\n+ Done it',
  ],
  ['boxes in HTML items', '<ul><li>[ ] Todo</li><li>[x] Done</li></ul>', '- Todo\n+ Done'],
  ['a day of completion', '- [ ] here\n- [x] there ✅ 2026-05-30\n- [ ] everywhere', '- here\n+ there\n- everywhere'],
  [
    'Todoist with notes',
    'TYPE,CONTENT,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE\ntask,**Kitchen**:,4,1,,,,,\ntask,Clean,4,2,,,,,\nnote,With soap,,,,,,,',
    '- **Kitchen**:\n- Clean\n> With soap',
  ],
  [
    'Trello',
    '{"name":"Board","lists":[{"id":"l1","name":"Doing","closed":false}],"cards":[{"id":"c1","name":"Ship","idList":"l1","desc":"Soon","due":"2026-10-10T10:00:00.000Z","dueComplete":false,"closed":false,"pos":1,"idChecklists":["k1"]}],"checklists":[{"id":"k1","idCard":"c1","name":"Steps","pos":1,"checkItems":[{"name":"Tag","state":"complete","pos":1},{"name":"Push","state":"incomplete","pos":2}]}]}',
    '# Board\n## Doing\n- Ship 2026-10-10\n> Soon\n+ Tag\n- Push',
  ],
  [
    'Google Tasks',
    '{"kind":"tasks#taskLists","items":[{"kind":"tasks#tasks","title":"Home","items":[{"kind":"tasks#task","title":"Paint","status":"completed","notes":"Blue"},{"kind":"tasks#task","title":"Mow","status":"needsAction","due":"2026-06-01T00:00:00Z"}]}]}',
    '# Home\n+ Paint\n> Blue\n- Mow 2026-06-01',
  ],
  ['a list of bullets of Word', '·\tFreeze\n·\tTag\n·\tShip', '- Freeze\n- Tag\n- Ship'],
  ['letters as numbers', 'a) one\nb) two', '- a) one\n- b) two'],
  ['numbers and blank lines', '1. One\n\n2. Two\n\n3. Three', '- One\n- Two\n- Three'],
  ['Excel with boxes', 'TRUE\tOrder chairs\nFALSE\tPaint wall', '+ Order chairs\n- Paint wall'],
  [
    'a French sheet',
    'Tâche;État;Échéance;Responsable\nRanger;Terminé;2026-11-20;ana\nLaver;À faire;;',
    '+ Ranger @ana 2026-11-20\n- Laver',
  ],
  [
    'a Spanish sheet',
    'Tarea,Estado,Fecha límite\nComprar pan,Hecho,2026-11-20\nLimpiar,Pendiente,',
    '+ Comprar pan 2026-11-20\n- Limpiar',
  ],
  [
    'a Portuguese sheet',
    'Tarefa\tConcluída\tPrazo\nComprar\tSim\t20/11/2026\nLimpar\tNão\t',
    '+ Comprar 20/11/2026\n- Limpar',
  ],
  [
    'a Japanese sheet',
    'タスク,状態,期限,担当者\n資料作成,完了,2026-11-20,田中\n確認,未着手,,',
    '+ 資料作成 @田中 2026-11-20\n- 確認',
  ],
  [
    'a German sheet of another kind',
    'Nr;Maßnahme;Verantwortlich;Termin;Bemerkung\n1;Dach prüfen;ana;20.11.2026;Leiter holen\n2;Rinne reinigen;ben;;',
    '- Dach prüfen @ana 20.11.2026\n> Leiter holen\n- Rinne reinigen @ben',
  ],
  [
    'columns whose names are unknown',
    'Vorhaben;Wer;Bis\nDach prüfen;ana;20.11.2026\nRinne reinigen;ben;',
    '- Dach prüfen @ana 20.11.2026\n- Rinne reinigen @ben',
  ],
  [
    'Asana with sections',
    'Task ID,Created At,Completed At,Last Modified,Name,Section/Column,Assignee,Assignee Email,Start Date,Due Date,Tags,Notes,Projects,Parent task\n1,2026-01-01,2026-01-05,2026-01-05,Design,Doing,ana,a@b.c,,2026-01-09,,,Web,\n2,2026-01-01,,2026-01-05,Build,Doing,,,,,,,Web,',
    '## Doing\n+ Design @ana 2026-01-09\n- Build',
  ],
  [
    'Planner',
    'Task ID,Task Name,Bucket Name,Progress,Priority,Assigned To,Due Date,Checklist Items,Description\nx1,Draft,Plan,Not started,Medium,,11/20/2026,,\nx2,Send,Plan,Completed,Medium,,,,',
    '## Plan\n- Draft\n> Due: 11/20/2026\n+ Send',
  ],
  [
    'todo.txt',
    '(B) Call mum +family @phone\nx 2026-09-02 2026-09-01 Pay rent due:2026-09-03\nBuy milk',
    '- Call mum @phone\n+ Pay rent 2026-09-03\n- Buy milk',
  ],
  [
    'Logseq',
    '- TODO Write\n  SCHEDULED: <2026-11-02 Mon>\n- DONE Read\n- LATER Sleep',
    '- Write\n> SCHEDULED: <2026-11-02 Mon>\n+ Read\n- Sleep',
  ],
  [
    'TaskPaper',
    'Inbox:\n\t- Mail @done(2026-01-01)\n\t- Bread @today\nHome:\n\t- Paint',
    '# Inbox\n+ Mail\n- Bread\n# Home\n- Paint',
  ],
  ['a mail with quotes', '> - [x] a\n> - [ ] b\n', '+ a\n- b'],
  ['Slack shortcodes', ':ballot_box_with_check: one\n:white_medium_square: two', '+ one\n- two'],
  ['WhatsApp ticks', '✅ Milk\n☐ Eggs\n✔️ Bread', '+ Milk\n- Eggs\n+ Bread'],
  [
    'underlined titles',
    'Before\n------\n* [ ] one\n* [x] two\n\nAfter\n------\n* [ ] three',
    '## Before\n- one\n+ two\n## After\n- three',
  ],
  ['a fence in an item', '- [x] Build\n\n  ```sh\n  make all\n  ```\n- [ ] Ship', '+ Build\n> `make all`\n- Ship'],
  ['escaped boxes', '* \\[ \\] open\n* \\[x\\] done', '- open\n+ done'],
  [
    'generic types in text',
    '- [ ] Return Map<String, List<Integer>>\n- [x] Remove <T>',
    '- Return Map<String, List<Integer>>\n+ Remove <T>',
  ],
  [
    'snake case and globs',
    '- [ ] rename my_old_name to __init__\n- [ ] match *.ts and **/*.js',
    '- rename my_old_name to **init**\n- match *.ts and **/*.js',
  ],
  [
    'template comments',
    '<!-- Thanks! -->\n## Checklist\n<!-- Tick all -->\n- [x] Tests\n- [ ] Docs',
    '## Checklist\n+ Tests\n- Docs',
  ],
  ['emoji states', '- ✅ Ready\n- ⬜ Not yet', '+ Ready\n- Not yet'],
  ['Windows line ends', '- [x] one\r\n- [ ] two\r\n', '+ one\n- two'],
  ['a colon and dashes', 'To bring:\n- tent\n- stove', '- To bring:\n- tent\n- stove'],
  [
    'Issue Checklist',
    '# Default\n--- Build\n[x] compile\n>> with flags\n[] test',
    '# Default\n## Build\n+ compile\n> with flags\n- test',
  ],
  [
    'Evernote',
    '<en-note><ol><li><en-todo checked="true"/>Pack</li><li><en-todo checked="false"/>Go</li></ol></en-note>',
    '+ Pack\n- Go',
  ],
  [
    'Notion',
    '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">Done</span></li></ul><ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>Open</span></li></ul>',
    '+ Done\n- Open',
  ],
];

test('a black square is a ticked box beside a white one, and a bullet alone', () => {
  expect(convert('□ open\n■ done', 'auto').text).toBe('- open\n+ done');
  expect(convert('■ one\n■ two', 'auto').text).toBe('- one\n- two');
  expect(convert('<p>■ one</p><p>■ two</p>', 'auto').text).toBe('- one\n- two');
});

test.each(reported)('%s', (_, input, expected) => {
  expect(convert(input, 'auto').text).toBe(expected);
});

test('the set has its sixty inputs', () => expect(reported).toHaveLength(60));
