import { expect, test } from 'vitest';
import { losses } from '../../../src/domain/messages.ts';
import { convert } from '../../../src/text/convert.ts';

/** Exports of task apps and tables of office programs in their real shape, with the checklist that each becomes. */
const exported: readonly (readonly [string, string, string])[] = [
  [
    'Todoist project as CSV, with its settings and a deadline column',
    'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT,DEADLINE,DEADLINE_LANG\nmeta,view_style=list,,,,,,,,,,,,\n,,,,,,,,,,,,,\nsection,Before,,,,,,,,,,,,\ntask,Book the flight,Ask for a window seat,1,1,Ann (123),Bob (456),2026-03-01,en,UTC,,None,,\ntask,Pack,,4,2,Ann (123),,,en,UTC,,None,2026-03-02,en',
    '## Before\n- Book the flight @Bob 2026-03-01\n> Ask for a window seat\n- Pack 2026-03-02',
  ],
  [
    'Todoist tasks as JSON',
    '[{"id":"2995104339","project_id":"2203306141","content":"Buy Milk","description":"Low fat","is_completed":false,"labels":["Food"],"priority":1,"due":{"date":"2026-09-01","is_recurring":false,"string":"tomorrow"}},{"id":"2995104340","content":"Pay rent","description":"","is_completed":true,"labels":[],"due":null}]',
    '- Buy Milk 2026-09-01\n> Low fat\n+ Pay rent',
  ],
  [
    'TickTick backup with long notes',
    '"Date: 2026-02-01+0000"\n"Version: 7.1"\n"Status: \n0 Normal\n1 Completed\n2 Archived"\n"Folder Name","List Name","Title","Kind","Tags","Content","Is Check list","Start Date","Due Date","Reminder","Repeat","Priority","Status","Created Time","Completed Time","Order","Timezone","Is All Day","Is Floating","Column Name","Column Order","View Mode","taskId","parentId"\n"","Home","Pack","TEXT","","Everything that is needed for two weeks","N","","2026-03-01T23:00:00+0000","","","0","0","2026-01-01T10:00:00+0000","","-1","Europe/Paris","true","false","","","list","1",""\n"","Home","Cook","TEXT","","Soup for the neighbours and bread","N","","","","","0","2","2026-01-01T10:00:00+0000","2026-01-02T10:00:00+0000","-2","Europe/Paris","true","false","","","list","2",""',
    '## Home\n- Pack 2026-03-01\n> Everything that is needed for two weeks\n+ Cook\n> Soup for the neighbours and bread',
  ],
  [
    'Asana tasks as JSON',
    '{"data":[{"gid":"1","name":"Design","resource_type":"task","completed":true,"completed_at":"2026-01-05T10:00:00Z","assignee":{"gid":"2","name":"Ana"},"due_on":"2026-01-09","notes":"Two variants","memberships":[{"project":{"gid":"3","name":"Web"},"section":{"gid":"4","name":"Doing"}}],"subtasks":[{"gid":"5","name":"Draft","completed":false}]}]}',
    '+ Design @Ana 2026-01-09\n> Two variants\n- Draft',
  ],
  [
    'Asana tasks as CSV, with notes longer than names and a parent task',
    'Task ID,Created At,Completed At,Last Modified,Name,Section/Column,Assignee,Assignee Email,Start Date,Due Date,Tags,Notes,Projects,Parent task,Blocked By (Dependencies),Blocking (Dependencies)\n1,2026-01-01,,2026-01-05,Design,Doing,Ana Lee,a@b.c,,2026-01-09,ui,"First a sketch, then the colours",Web,,,\n2,2026-01-01,2026-01-05,2026-01-05,Sketch,,,,,,,,,Design,,',
    '## Doing\n- Design 2026-01-09\n> First a sketch, then the colours\n> Assignee: Ana Lee\n+ Sketch',
  ],
  [
    'Planner, pasted from Excel, with lines about the plan above',
    'Plan name\tLaunch\nPlan ID\tabc123\nDate of export\t01/02/2026\n\nTask ID\tTask Name\tBucket Name\tProgress\tPriority\tAssigned To\tCreated By\tCreated Date\tStart date\tDue date\tIs Recurring\tLate\tCompleted Date\tCompleted By\tCompleted Checklist Items\tChecklist Items\tLabels\tDescription\nx1\tDraft the text\tPlan\tIn progress\tMedium\tAnn Lee\tBob\t01/02/2026\t\t2026-03-01\tfalse\tfalse\t\t\t1/2\tOutline;Review\tRed\tTwo pages\nx2\tSend\tPlan\tCompleted\tMedium\t\tBob\t01/02/2026\t\t\tfalse\tfalse\t01/05/2026\tBob\t\t\t\t',
    '## Plan\n~ Draft the text 2026-03-01\n> Two pages\n> Assignee: Ann Lee\n- Outline\n- Review\n+ Send',
  ],
  [
    'Google Tasks of Takeout, with links and times',
    '{"kind":"tasks#taskLists","items":[{"kind":"tasks#tasks","id":"MDk","title":"My Tasks","updated":"2026-01-01T00:00:00Z","items":[{"kind":"tasks#task","id":"a","title":"Buy milk","task_type":"PERSONAL_TASK","notes":"2%","status":"needsAction","due":"2026-02-03T00:00:00Z","links":[],"scheduled_time":[{"current":true,"start":"2026-02-03T00:00:00Z"}]},{"kind":"tasks#task","id":"b","parent":"a","title":"Oat","status":"completed","completed":"2026-01-02T00:00:00Z","hidden":true}]}]}',
    '# My Tasks\n- Buy milk 2026-02-03\n> 2%\n+ Oat',
  ],
  [
    'Trello board with archived parts, labels, members and comments',
    '{"id":"b","name":"Launch","desc":"","closed":false,"labels":[{"id":"la","name":"urgent","color":"red"}],"members":[{"id":"m1","fullName":"Ann Lee","username":"annlee"}],"lists":[{"id":"l1","name":"Doing","closed":false,"pos":1},{"id":"l2","name":"Old","closed":true,"pos":2}],"cards":[{"id":"c1","name":"Ship","idList":"l1","idMembers":["m1"],"idLabels":["la"],"labels":[{"id":"la","name":"urgent","color":"red"}],"desc":"Soon","closed":false,"pos":1},{"id":"c2","name":"Rust","idList":"l2","closed":false,"pos":1,"idMembers":[],"labels":[]}],"checklists":[],"actions":[{"type":"commentCard","date":"2026-01-01T00:00:00.000Z","data":{"text":"Wait for Bob","card":{"id":"c1","name":"Ship"}},"memberCreator":{"id":"m1","fullName":"Ann Lee"}}]}',
    '# Launch\n## Doing\n- Ship\n> Soon\n> Assignee: Ann Lee\n> Ann Lee: Wait for Bob',
  ],
  [
    'Evernote notes as .enex',
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">\n<en-export export-date="20260101T000000Z" application="Evernote" version="10.8">\n<note><title>Trip &amp; more</title><created>20260101T000000Z</created><tag>travel</tag><note-attributes><author>Ann</author></note-attributes>\n<content><![CDATA[<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd"><en-note><div><en-todo checked="true"/>Passport</div><div><en-todo checked="false"/>Tickets</div></en-note>]]></content></note>\n<note><title>Home</title><content><![CDATA[<en-note><ul><li>Water the plants</li></ul></en-note>]]></content></note>\n</en-export>',
    '# Trip & more\n+ Passport\n- Tickets\n# Home\n- Water the plants',
  ],
  [
    'Workflowy as OPML',
    '<?xml version="1.0"?>\n<opml version="2.0">\n  <head>\n    <ownerEmail>\n      ann@example.org\n    </ownerEmail>\n  </head>\n  <body>\n    <outline text="Trip">\n      <outline text="Passport" _complete="true" _note="in the drawer" />\n      <outline text="Tickets &amp; visa" />\n    </outline>\n  </body>\n</opml>',
    '- Trip\n+ Passport\n> in the drawer\n- Tickets & visa',
  ],
  [
    'Dynalist as OPML',
    '<?xml version="1.0" encoding="utf-8"?>\n<opml version="2.0"><head><title>Trip plan</title><flavor>dynalist</flavor><source>https://dynalist.io</source></head><body><outline text="Packing" heading="2"><outline text="Passport" checkbox="true" complete="true"/><outline text="Tickets" checkbox="true" _note="window seat"/></outline></body></opml>',
    '# Trip plan\n- Packing\n+ Passport\n- Tickets\n> window seat',
  ],
  [
    'subscriptions as OPML',
    '<?xml version="1.0" encoding="UTF-8"?>\n<opml version="1.0"><head><title>Reading</title></head><body><outline text="News" title="News"><outline type="rss" text="Blog" title="Blog" xmlUrl="https://a.example/feed" htmlUrl="https://a.example/"/></outline><outline type="link" text="Docs" url="https://b.example/docs"/></body></opml>',
    '# Reading\n- News\n- [Blog](https://a.example/)\n- [Docs](https://b.example/docs)',
  ],
  [
    'a custom field of Checklist for Jira',
    '[{"id":1,"rank":0,"name":"Review","checked":true,"mandatory":true,"isHeader":false,"statusId":"none","assigneeIds":["ana"]},{"id":2,"rank":1,"name":"Release","isHeader":true},{"id":3,"rank":2,"name":"Tag it","checked":false,"mandatory":false,"status":{"id":"inProgress","name":"In progress"},"dueDate":"2026-01-02"}]',
    '+ ! Review @ana\n# Release\n~ Tag it 2026-01-02',
  ],
  [
    'Notion task tracker as CSV',
    '﻿Task name,Assignee,Due date,Effort level,Priority,Status,Description,Attach file\nWrite the brief,Ann Lee,2026-03-03,Small,High,In progress,One page for all teams,\nArchive,,,,,Done,,',
    '~ Write the brief 2026-03-03\n> One page for all teams\n> Assignee: Ann Lee\n+ Archive',
  ],
  [
    'Notion database with a check box and a relation',
    'Name,Done,Project,Created time\nBuy paint,Yes,House (https://www.notion.so/House-1),"January 2, 2026 9:00 AM"\nSand the door,No,,"January 3, 2026 9:00 AM"',
    '+ Buy paint\n> Project: House (https://www.notion.so/House-1)\n- Sand the door',
  ],
  [
    'ClickUp with long content and texts of days',
    'Task ID,Task Custom ID,Task Name,Task Content,Status,Date Created,Date Created Text,Due Date,Due Date Text,Start Date,Parent ID,Attachments,Assignees,Tags,Priority,List Name,Folder Name/Path,Space Name\n"86a1","","Demo","Slides, a script, and somebody who speaks it aloud","in progress","1764000000000","11/24/2025","1767225600000","1/1/2026","","null","[]","[Ann Lee]","[]","2","Launch","hidden","Team"',
    '## Launch\n~ Demo 2026-01-01\n> Slides, a script, and somebody who speaks it aloud\n> Assignee: Ann Lee',
  ],
  [
    'monday.com board, pasted from Excel, with a head for each group',
    'Launch board\n\nThis month\nName\tPerson\tStatus\tDue date\nBook the venue\tAnn Lee\tDone\t2026-03-01\nOrder food\t\tWorking on it\t\n\nNext month\nName\tPerson\tStatus\tDue date\nSend invites\tBob\t\t2026-04-01',
    '# Launch board\n## This month\n+ Book the venue 2026-03-01\n> Assignee: Ann Lee\n- [Working on it] Order food\n## Next month\n- Send invites @Bob 2026-04-01',
  ],
  [
    'Things as JSON',
    '[{"type":"project","attributes":{"title":"Trip","items":[{"type":"heading","attributes":{"title":"Before"}},{"type":"to-do","attributes":{"title":"Visa","completed":true,"checklist-items":[{"type":"checklist-item","attributes":{"title":"Photo"}}]}},{"type":"to-do","attributes":{"title":"Hotel","deadline":"2026-03-01","notes":"Near the station"}}]}}]',
    '# Trip\n## Before\n+ Visa\n- Photo\n- Hotel 2026-03-01\n> Near the station',
  ],
  [
    'Microsoft To Do tasks with bodies',
    '{"@odata.context":"https://graph.microsoft.com/v1.0/$metadata","value":[{"importance":"normal","isReminderOn":false,"status":"completed","title":"Pay rent","id":"AQ","body":{"content":"By bank transfer\\r\\n","contentType":"text"},"completedDateTime":{"dateTime":"2026-01-01T00:00:00.0000000","timeZone":"UTC"},"dueDateTime":{"dateTime":"2026-01-03T00:00:00.0000000","timeZone":"UTC"}},{"importance":"high","status":"inProgress","title":"Plan","id":"AR","body":{"content":"","contentType":"text"}}]}',
    '+ Pay rent 2026-01-03\n> By bank transfer\n~ Plan',
  ],
  [
    'a German sheet, pasted',
    'Nr\tArbeitspaket\tStatus\tPriorität\tZuständig\tFällig am\tBemerkung\n1\tFundament gießen\tErledigt\thoch\tMeier\t01.03.2026\tWetter beachten\n2\tWände mauern\tIn Arbeit\tmittel\tSchmidt, Jan\t15.03.2026\t\n3\tDach decken\tOffen\t\t\t\t',
    '+ Fundament gießen @Meier 01.03.2026\n> Wetter beachten\n~ Wände mauern 15.03.2026\n> Assignee: Schmidt, Jan\n- Dach decken',
  ],
  [
    'a French file',
    '"Nom de la tâche";"Attribué à";"Date d’échéance";"Terminée";"Remarques"\n"Réserver la salle";"luc";"2026-02-01";"VRAI";"Grande, avec écran"\n"Inviter";"";"";"FAUX";""',
    '+ Réserver la salle @luc 2026-02-01\n> Grande, avec écran\n- Inviter',
  ],
  [
    'a Spanish file of Planner',
    'Id. de tarea;Nombre de la tarea;Nombre del depósito;Progreso;Asignado a;Fecha de vencimiento\nx1;Comprar pan;Casa;Completada;ana;2026-03-01\nx2;Limpiar;Casa;No iniciado;;',
    '## Casa\n+ Comprar pan @ana 2026-03-01\n- Limpiar',
  ],
  [
    'a Portuguese sheet, pasted',
    'Nome da tarefa\tResponsável\tPrazo\tSituação\tObservações\nComprar pão\tRui\t01/03/2026\tConcluído\tIntegral\nLavar o carro\t\t\tEm andamento\t',
    '+ Comprar pão @Rui 01/03/2026\n> Integral\n~ Lavar o carro',
  ],
  [
    'a Japanese sheet, pasted',
    'No.\t作業項目\t担当\t期限\t状況\t備考\n1\t資料を作成する\t田中\t2026-03-01\t完了\t先方に確認\n2\t会議室を予約する\t\t\t未着手\t',
    '+ 資料を作成する @田中 2026-03-01\n> 先方に確認\n- 会議室を予約する',
  ],
  [
    'a sheet of Google with check boxes below an empty name',
    ',Task,Owner\nTRUE,Book the room,ana\nFALSE,Pay the bill,ben',
    '+ Book the room @ana\n- Pay the bill @ben',
  ],
  [
    'issues of the tracker as JSON',
    '{"expand":"names","startAt":0,"total":2,"issues":[{"id":"1","key":"WEB-1","fields":{"summary":"Fix the login","status":{"name":"Done","statusCategory":{"key":"done","name":"Done"}},"assignee":{"displayName":"Ann Lee"},"duedate":"2026-01-01"}},{"id":"2","key":"WEB-2","fields":{"summary":"Write docs","status":{"name":"To Do"},"assignee":null,"duedate":null}}]}',
    '+ WEB-1 Fix the login 2026-01-01\n> Assignee: Ann Lee\n- WEB-2 Write docs',
  ],
  [
    'a document of Atlassian editors as JSON',
    '{"version":1,"type":"doc","content":[{"type":"heading","attrs":{"level":2},"content":[{"type":"text","text":"Release"}]},{"type":"taskList","attrs":{"localId":"a"},"content":[{"type":"taskItem","attrs":{"localId":"b","state":"DONE"},"content":[{"type":"text","text":"Tag "},{"type":"text","text":"it","marks":[{"type":"strong"}]}]},{"type":"taskItem","attrs":{"localId":"c","state":"TODO"},"content":[{"type":"mention","attrs":{"id":"557058:ab","text":"@Ann"}},{"type":"text","text":" ships by "},{"type":"date","attrs":{"timestamp":"1767225600000"}}]}]},{"type":"bulletList","content":[{"type":"listItem","content":[{"type":"paragraph","content":[{"type":"text","text":"Tell all","marks":[{"type":"link","attrs":{"href":"https://a.b/c"}}]}]}]}]}]}',
    '## Release\n+ Tag **it**\n- [~accountid:557058:ab] ships by 2026-01-01\n- [Tell all](https://a.b/c)',
  ],
  [
    'Nextcloud Deck as JSON',
    '{"id":1,"title":"House","archived":false,"stacks":[{"id":2,"title":"To do","cards":[{"id":3,"title":"Paint","description":"White","duedate":"2026-03-01T10:00:00+00:00","archived":false,"done":null},{"id":4,"title":"Old","archived":true}]}]}',
    '# House\n## To do\n- Paint 2026-03-01\n> White',
  ],
  [
    'Azure DevOps work items as CSV',
    'ID,Work Item Type,Title,Assigned To,State,Tags\n"12","Task","Fix the build","Ann Lee <ann@x.com>","Active","ci"\n"13","Bug","Crash on start","","Closed",""',
    '- [Active] Fix the build\n> Assignee: Ann Lee <ann@x.com>\n+ Crash on start',
  ],
  [
    'OmniFocus as CSV',
    'Task ID,Type,Name,Status,Project,Context,Start Date,Due Date,Completion Date,Duration,Flagged,Notes,Tags\n1,Project,Garden,active,,,,,,,0,,\n1.1,Action,Buy seeds,,Garden,Shop,,2026-03-01 17:00:00 +0000,,,0,"Tomatoes, if there are any",\n1.2,Action,Dig,,Garden,,,,2026-02-01 10:00:00 +0000,,0,,',
    '## Garden\n- Buy seeds 2026-03-01\n> Tomatoes, if there are any\n+ Dig',
  ],
  [
    'Wunderlist backup',
    '{"loginName":"ann","data":{"lists":[{"id":1,"title":"Home"}],"tasks":[{"id":2,"list_id":1,"title":"Buy paint","completed":true,"due_date":"2019-01-02"},{"id":3,"list_id":1,"title":"Paint","completed":false}],"subtasks":[{"id":4,"task_id":3,"title":"Walls","completed":false}],"notes":[{"id":5,"task_id":3,"content":"White"}]}}',
    '# Home\n+ Buy paint 2019-01-02\n- Paint\n> White\n- Walls',
  ],
  [
    'a cell of several lines, pasted from Excel',
    'Task\tNotes\tDone\n"Call\nBob"\t"at nine\nor ten"\tx\nWrite\t\t',
    '+ Call\n> Bob\n> at nine\n> or ten\n- Write',
  ],
];

test.each(exported)('%s', (_, input, expected) => {
  expect(convert(input, 'auto').text).toBe(expected);
});

/** Inputs of the kinds that went wrong above, in other shapes. */
const variants: readonly (readonly [string, string, string])[] = [
  ['boxes in cells below a head', 'Task,Owner,Notes\n- [ ] Plan,ana,\n- [x] Ship,ben,', '- Plan @ana\n+ Ship @ben'],
  [
    'a list in a cell of notes',
    'Task,Owner,Notes\nPlan,ana,"- [ ] first\n- [x] second"\nShip,ben,',
    '- Plan @ana\n> - [ ] first\n> - [x] second\n- Ship @ben',
  ],
  [
    'a list in one of two cells',
    'Task,Notes\nPlan,"- [ ] first\n- [x] second\n- [ ] third"\n',
    '- Plan\n> - [ ] first\n> - [x] second\n> - [ ] third',
  ],
  ['boxes in one of two cells', 'Task;Owner\n- [ ] Plan;ana\n- [x] Ship;ben', '- Plan @ana\n+ Ship @ben'],
  [
    'a black square before the words of a cell',
    'Task,Owner,Notes\n■ Plan,ana,\n■ Ship,ben,',
    '- ■ Plan @ana\n- ■ Ship @ben',
  ],
  ['a black square as the tick of a column', 'Task,Done\nPlan,■\nShip,', '+ Plan\n- Ship'],
  [
    'JSON with a name around the list',
    '{"checklist":{"name":"Trip","items":["Passport","[x] Tickets"]}}',
    '# Trip\n- Passport\n+ Tickets',
  ],
  ['JSON whose tasks are an object', '{"tasks":{"a":{"title":"Pack","done":true},"b":{"title":"Go"}}}', '+ Pack\n- Go'],
  [
    'a document in the description of an issue',
    '{"issues":[{"key":"A-1","fields":{"summary":"Ship","description":{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"Soon"}]},{"type":"taskList","content":[{"type":"taskItem","attrs":{"state":"DONE"},"content":[{"type":"text","text":"Tag"}]}]}]}}}]}',
    '- A-1 Ship\n> Soon\n+ Tag',
  ],
  [
    'a table in a document',
    '{"type":"doc","content":[{"type":"table","content":[{"type":"tableRow","content":[{"type":"tableHeader","content":[{"type":"paragraph","content":[{"type":"text","text":"Task"}]}]},{"type":"tableHeader","content":[{"type":"paragraph","content":[{"type":"text","text":"Status"}]}]}]},{"type":"tableRow","content":[{"type":"tableCell","content":[{"type":"paragraph","content":[{"type":"text","text":"Plan"}]}]},{"type":"tableCell","content":[{"type":"paragraph","content":[{"type":"text","text":"Done"}]}]}]}]}]}',
    '+ Plan',
  ],
  [
    'Todoist with a deadline as well as a day',
    'TYPE,CONTENT,DATE,DEADLINE\ntask,Pay,2026-03-01,2026-03-05\nnote,By card,,',
    '- Pay 2026-03-05\n> By card',
  ],
];

/** Exports that other programs get from the services' interfaces. */
const fetched: readonly (readonly [string, string, string])[] = [
  [
    'Todoist as a whole',
    '{"projects":[{"id":"1","name":"Home"}],"sections":[{"id":"5","project_id":"1","name":"Before"}],"items":[{"id":"2","project_id":"1","section_id":"5","content":"Pack","checked":false,"due":{"date":"2026-03-01"}},{"id":"3","project_id":"1","content":"Go","checked":true}],"notes":[{"id":"9","item_id":"2","content":"Warm clothes"}]}',
    '# Home\n+ Go\n## Before\n- Pack 2026-03-01\n> Warm clothes',
  ],
  [
    'ClickUp',
    '{"tasks":[{"id":"a","name":"Demo","status":{"status":"in progress","color":"#fff"},"due_date":"1767225600000","assignees":[{"id":1,"username":"ann"}],"checklists":[{"name":"Steps","items":[{"name":"Slides","resolved":true},{"name":"Script","resolved":false}]}]}]}',
    '~ Demo @ann 2026-01-01\n+ Slides\n- Script',
  ],
  [
    'monday.com',
    '{"data":{"boards":[{"name":"Launch","groups":[{"title":"This month","items_page":{"items":[{"name":"Venue"},{"name":"Food"}]}}]}]}}',
    '# Launch\n## This month\n- Venue\n- Food',
  ],
  [
    'Planner',
    '{"value":[{"title":"Draft","percentComplete":50,"dueDateTime":"2026-03-01T10:00:00Z"},{"title":"Send","percentComplete":100},{"title":"Print","percentComplete":0}]}',
    '~ Draft 2026-03-01\n+ Send\n- Print',
  ],
  [
    'Toodledo',
    '{"tasks":[{"id":1,"title":"Call","completed":0,"duedate":1767225600,"note":"Ask"},{"title":"Pay","completed":1767225600}]}',
    '- Call 2026-01-01\n> Ask\n+ Pay',
  ],
  ['an object in each line', '{"title":"A","done":true}\n{"title":"B","done":false}\n', '+ A\n- B'],
  [
    'Airtable',
    '{"records":[{"id":"rec1","fields":{"Name":"Plan","Status":"Done","Notes":"short"}},{"id":"rec2","fields":{"Name":"Build","Status":"In progress"}}]}',
    '+ Plan\n> short\n~ Build',
  ],
  [
    'issues of GitHub',
    '[{"number":12,"title":"Fix","state":"OPEN","assignees":[{"login":"ann"}],"labels":[{"name":"bug"}],"body":"Soon"},{"number":13,"title":"Docs","state":"CLOSED","closed":true}]',
    '- Fix @ann\n> Soon\n+ Docs',
  ],
  [
    'columns of several notes',
    'Task,Description,Comments\nPlan,One page,Ask Bob\nShip,,',
    '- Plan\n> Description: One page\n> Comments: Ask Bob\n- Ship',
  ],
];

test.each(fetched)('%s, as fetched', (_, input, expected) => {
  expect(convert(input, 'auto').text).toBe(expected);
});

test('a share of completion that has no place in the checklist is reported', () => {
  const { text, lost } = convert('Task,% Complete\nPour,100%\nPaint,25%\nClean,0.5\n', 'auto');
  expect(text).toBe('+ Pour\n~ Paint\n~ Clean');
  expect(lost.map(({ what, text }) => [what, text])).toEqual([
    [losses.count, '25%'],
    [losses.count, '0.5'],
  ]);
});

test.each(variants)('%s', (_, input, expected) => {
  expect(convert(input, 'auto').text).toBe(expected);
});

test('what a board keeps beside its lists is reported: archived parts with all in them, labels and history', () => {
  const board = {
    name: 'B',
    lists: [
      { id: 'a', name: 'Open', closed: false },
      { id: 'z', name: 'Attic', closed: true },
    ],
    cards: [
      { id: 1, idList: 'a', name: 'Ship', labels: [{ name: 'urgent', color: 'red' }] },
      { id: 2, idList: 'z', name: 'Dust', desc: 'grey', dueComplete: false },
      { id: 3, idList: 'a', name: 'Old', desc: 'rusty', closed: true },
    ],
    checklists: [{ id: 5, idCard: 2, name: 'Boxes', checkItems: [{ name: 'Lid', state: 'complete' }] }],
    actions: [{ type: 'updateCard', data: { old: { name: 'Sheep' } } }],
  };
  const { text, lost } = convert(JSON.stringify(board), 'auto');
  expect(text).toBe('# B\n## Open\n- Ship');
  const of = (what: string) => lost.filter(loss => loss.what === what).map(loss => loss.text);
  expect(of(losses.archived)).toEqual(['Old – rusty', 'Attic – Dust – grey – Lid']);
  expect(of(losses.tag)).toEqual([expect.stringMatching(/urgent.*red/)]);
  expect(of(losses.setting).join()).toContain('Sheep');
});

test('the set has its thirty-two inputs', () => expect(exported).toHaveLength(32));
