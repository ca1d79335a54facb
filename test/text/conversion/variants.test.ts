import { expect, test } from 'vitest';
import { convert } from '../../../src/text/convert.ts';

/** Inputs of the kinds in `cases.json`, with other phrases, columns, languages, depths and marks. */
const variants: readonly (readonly [string, string, string])[] = [
  // F1
  [
    'a cancelled box above nested ones',
    '# Setup\n- [-] ~~Buy licence~~\n  - [x] Ask *legal*\n- [ ] Install',
    '# Setup\nx ~~Buy licence~~\n+ Ask *legal*\n- Install',
  ],
  ['stars with a colon', '* Today: write mail\n* Tomorrow: send it', '- Today: write mail\n- Tomorrow: send it'],
  ['a count behind a header', '## Tests [3/7]\n- [x] unit\n- [ ] end to end', '## Tests [3/7]\n+ unit\n- end to end'],
  ['stars in two levels', '* Fruit\n  * Apples\n  * Pears\n* Bread', '- Fruit\n- Apples\n- Pears\n- Bread'],
  ['a percentage in an item', '- [ ] Raise coverage [80%]\n- [x] Lint', '- Raise coverage [80%]\n+ Lint'],
  // F2
  [
    'Liquid in tasks',
    '- [ ] Set {{ site.title }} in config\n- [x] Keep {{page.url}}',
    '- Set {{ site.title }} in config\n+ Keep {{page.url}}',
  ],
  [
    'a GitHub expression',
    '### Release {{ version }}\n- [ ] Tag {{ github.ref }}\n- [x] Build',
    '### Release {{ version }}\n- Tag {{ github.ref }}\n+ Build',
  ],
  [
    'Vue in a numbered list',
    '1. [ ] Render {{ msg }}\n2. [x] Escape {{{ raw }}}',
    '- Render {{ msg }}\n+ Escape {{{ raw }}}',
  ],
  // F3
  [
    'boxes in wiki bullets below a header',
    'h2. Review\n* [ ] Read the diff\n* [x] Run it\n** [ ] Twice',
    '## Review\n- Read the diff\n+ Run it\n- Twice',
  ],
  ['ballot boxes in wiki numbers', 'h4. Steps\n# ☑ Freeze\n# ☐ Ship', '#### Steps\n+ Freeze\n- Ship'],
  ['ballot boxes in paragraphs', 'To do:\n\n☑ Book flights\n\n☐ Pack', '- To do:\n+ Book flights\n- Pack'],
  ['boxes in TaskPaper', 'Trip:\n\t- [x] Visa\n\t- [ ] Hotel @due(2026-12-01)', '# Trip\n+ Visa\n- Hotel 2026-12-01'],
  ['wiki with capital boxes', 'h3. Checks\n- [X] Green\n- [ ] Signed', '### Checks\n+ Green\n- Signed'],
  // F4
  [
    'a tag in the words',
    '- [ ] Replace <div> by <section>\n- [x] Close <br> tags',
    '- Replace <div> by <section>\n+ Close tags',
  ],
  ['lines and one tag', 'Check the <title>\nCheck the <meta> tags', '- Check the <title>\n- Check the <meta> tags'],
  [
    'details around a bullet list',
    '<details>\n<summary>Browsers</summary>\n\n* [x] Firefox\n* [ ] Safari\n\n</details>',
    '- Browsers\n+ Firefox\n- Safari',
  ],
  ['line breaks in tasks', '- [ ] first line<br>second line\n- [x] other', '- first line second line\n+ other'],
  // F5
  ['letters and tabs', '1)\tOpen the valve\n2)\tClose the valve', '- Open the valve\n- Close the valve'],
  ['bullets of Word with levels', '•\tRooms\no\tKitchen\no\tBath\n•\tGarden', '- Rooms\n- Kitchen\n- Bath\n- Garden'],
  ['dashes and tabs', '-\tSign\n-\tScan\n-\tSend', '-\tSign\n-\tScan\n-\tSend'],
  // F6
  [
    'a separator with words',
    '# Board\n--- left ---\n- [ ] a task\n- [x] done task',
    '# Board\n> --- left ---\n- a task\n+ done task',
  ],
  // F7
  [
    'a title column of another name',
    'Deliverable;Person;When;Remarks\nDraft contract;eva;2026-03-01;\nSign contract;leo;;two copies',
    '- Draft contract @eva 2026-03-01\n- Sign contract @leo\n> two copies',
  ],
  [
    'a sheet of risks',
    'Measure,Owner,Due,Comment\nBack up the disk,ana,2026-05-05,Weekly\nTest the restore,,,',
    '- Back up the disk @ana 2026-05-05\n> Weekly\n- Test the restore',
  ],
  [
    'a Markdown table with notes',
    '| Milestone | Status | Notes |\n|---|---|---|\n| Alpha ready | Done | small |\n| Beta ready | Open | |',
    '+ Alpha ready\n> small\n- Beta ready',
  ],
  [
    'a wiki table of states',
    '||Requirement||State||Comment||\n|Fast start|Done|measured|\n|Low memory|To do| |',
    '+ Fast start\n> measured\n- Low memory',
  ],
  [
    'a German sheet with notes',
    'Was;Wer;Bis wann;Notiz\nZelt kaufen;tom;01.06.2026;groß\nKarte laden;;;',
    '- Zelt kaufen @tom 01.06.2026\n> groß\n- Karte laden',
  ],
  [
    'a French sheet with comments',
    'Action;Responsable;Échéance;Commentaire\nPréparer la salle;luc;2026-02-01;grande\nInviter;;;',
    '- Préparer la salle @luc 2026-02-01\n> grande\n- Inviter',
  ],
  [
    'an Italian sheet',
    'Attività;Stato;Scadenza\nPulire;Fatto;2026-01-05\nCucinare;;',
    '+ Pulire 2026-01-05\n- Cucinare',
  ],
  [
    'a Spanish sheet with people',
    'Actividad;Responsable;Estado;Notas\nReservar sala;ana;Completado;grande\nComprar agua;;Pendiente;',
    '+ Reservar sala @ana\n> grande\n- Comprar agua',
  ],
  [
    'a Japanese sheet with notes',
    '作業,担当,期日,備考\n部屋を予約,佐藤,2026-04-01,大きい部屋\n案内を送る,,,',
    '- 部屋を予約 @佐藤 2026-04-01\n> 大きい部屋\n- 案内を送る',
  ],
  // F9
  ['a no-break space in a bullet’s box', '- [\u00A0] open\n- [x]\u00A0closed', '- open\n+ closed'],
  ['a no-break space behind a bullet', '*\u00A0[x] one\n*\u00A0[ ] two', '+ one\n- two'],
  ['a narrow no-break space in words', '- [x] 10\u202F% done\n- [ ] rest', '+ 10\u202F% done\n- rest'],
  // F10
  ['rules between lists', '- [ ] a\n\n---\n\n- [x] b\n\n___', '- a\n+ b'],
  ['a box without a blank', '*[x] Mixed\n*[ ] Poured', '+ Mixed\n- Poured'],
  ['plus and star bullets', '+ [ ] plus\n* [x] star\n- [ ] dash', '- plus\n+ star\n- dash'],
  [
    'a reference link',
    '- [x] Read [the guide][g]\n- [ ] Sign\n\n[g]: https://a.example/g',
    '+ Read [the guide](https://a.example/g)\n- Sign',
  ],
  ['a header with closing marks', '## Plan ##\n\n- [ ] one', '## Plan\n- one'],
  ['an item over two lines', '- [ ] one that\n  goes on\n- [x] two', '- one that\n> goes on\n+ two'],
  ['tildes for code', '- [ ] run\n\n~~~\nmake\n~~~', '- run\n> `make`'],
  ['a tasklist block', '```[tasklist]\n- [ ] API\n- [x] UI\n```', '- API\n+ UI'],
  // F11
  [
    'a noformat at a line’s end',
    '* Log in {noformat}\nssh host\n{noformat}\n* (/) Log out',
    '- Log in\n> `ssh host`\n+ Log out',
  ],
  ['a quote at a line’s end', '# Ask {quote}\nwhy\n{quote}\n# Answer', '- Ask\n> why\n- Answer'],
  // F12
  ['effects in braces', 'h3.Goal\n* re{*}build{*} it\n* {-}old{-} new', '### Goal\n- re**build** it\n- ~~old~~ new'],
  [
    'a table of Jira with line breaks',
    '||Step||Result||\n|Open page|first\nsecond|\n|Close|ok|',
    '## Step – Result\n- Open page – first second\n- Close – ok',
  ],
  ['dashes of Jira', '-- first\n-- second\nh2. T', '- first\n- second\n## T'],
  ['a smart link', '* [Docs|https://a.example/d|smart-link]\n* (/) read', '- [Docs](https://a.example/d)\n+ read'],
  // F13
  [
    'aria boxes',
    '<div role="checkbox" aria-checked="true">Milk</div><div role="checkbox" aria-checked="false">Eggs</div>',
    '+ Milk\n- Eggs',
  ],
  ['struck items', '<ul><li><s>Old</s></li><li>New</li></ul>', '- ~~Old~~\n- New'],
  [
    'tick emoticons of Confluence',
    '<p><ac:emoticon ac:name="tick" /> Built</p><p><ac:emoticon ac:name="cross" /> Shipped</p>',
    '+ Built\n- Shipped',
  ],
  // N1
  ['Microsoft To Do lines', '☐ Call bank\n☑ Pay rent\n', '- Call bank\n+ Pay rent'],
  [
    'Todoist with a section',
    'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE\nsection,Garden,,,,,,,,\ntask,Water,Every day,4,1,,,2026-07-01,en,',
    '## Garden\n- Water 2026-07-01\n> Every day',
  ],
  [
    'Obsidian Tasks',
    '- [ ] Send invoice 📅 2026-11-20 🔼\n- [/] Draft ⏳ 2026-11-01\n- [x] Print ✅ 2026-10-01',
    '- Send invoice 2026-11-20\n~ Draft\n+ Print',
  ],
  [
    'todo.txt with priority',
    '(A) 2026-01-01 Call mum +family due:2026-01-05\nx 2026-01-02 2026-01-01 Mail @desk',
    '- Call mum 2026-01-05\n+ Mail @desk',
  ],
  ['Logseq with cancelled', '- TODO Plan\n- DOING Build\n- CANCELED Fly', '- Plan\n~ Build\nx Fly'],
  [
    'Trello with an archived card',
    '{"name":"B","lists":[{"id":"1","name":"Now"}],"cards":[{"name":"Keep","idList":"1","pos":1,"closed":false},{"name":"Gone","idList":"1","pos":2,"closed":true}],"checklists":[]}',
    '# B\n## Now\n- Keep',
  ],
  [
    'Asana with a completed day',
    'Task ID,Created At,Completed At,Last Modified,Name,Section/Column,Assignee,Due Date,Notes\n9,2026-01-01,2026-02-01,2026-02-01,Hire,People,mia,2026-01-31,Two seats',
    '## People\n+ Hire @mia 2026-01-31\n> Two seats',
  ],
  [
    'Okapya JSON',
    '[{"name":"Ready","checked":true,"mandatory":true},{"name":"Tested","checked":false,"mandatory":false}]',
    '+ ! Ready\n- Tested',
  ],
  [
    'a todo list as JSON',
    '{"title":"Trip","tasks":[{"title":"Pack","completed":false,"due":"2026-05-05"},{"title":"Book","completed":true}]}',
    '# Trip\n- Pack 2026-05-05\n+ Book',
  ],
  ['Org with a deadline', '* TODO Tax\nDEADLINE: <2026-05-31 Sun>\n* DONE Move', '- Tax 2026-05-31\n+ Move'],
];

test.each(variants)('%s', (_, input, expected) => {
  expect(convert(input, 'auto').text).toBe(expected);
});

test('the set has its sixty inputs', () => expect(variants).toHaveLength(60));
