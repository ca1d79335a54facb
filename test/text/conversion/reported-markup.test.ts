import { expect, test } from 'vitest';
import { convert } from '../../../src/text/convert.ts';

/** Markup in the shapes of public reports and real documents: issues, comments, pages, notes, mails and lists of releases. */
const reported: readonly (readonly [string, string, string])[] = [
  [
    'gh readme badges',
    '# Project [![CI](https://ci/x.svg)](https://ci/x)\n\n## Roadmap\n- [x] ~~Old API~~ removed in #12\n- [ ] Support `foo::bar` :rocket:\n  - [ ] sub task with <kbd>Ctrl</kbd>+<kbd>C</kbd>',
    '# Project https://ci/x\n## Roadmap\n+ ~~Old API~~ removed in #12\n- Support `foo::bar` :rocket:\n- sub task with `Ctrl`+`C`',
  ],
  [
    'gh issue footnote',
    '- [ ] Read spec[^1]\n- [x] Implement\n\n[^1]: See the RFC.',
    '- Read spec[^1]\n+ Implement\n- [^1]: See the RFC.',
  ],
  [
    'gh pr template',
    '## Type of change\n\nPlease delete options that are not relevant.\n\n- [ ] Bug fix (non-breaking change which fixes an issue)\n- [x] New feature\n\n**Test Configuration**:\n* Firmware version:\n* Hardware:',
    '## Type of change\n> Please delete options that are not relevant.\n- Bug fix (non-breaking change which fixes an issue)\n+ New feature\n- **Test Configuration**:\n- Firmware version:\n- Hardware:',
  ],
  [
    'gh alert',
    '> [!WARNING]\n> Do this first\n\n1. [ ] Backup\n1. [x] Freeze',
    '- [!WARNING]\n> Do this first\n- Backup\n+ Freeze',
  ],
  [
    'gh heading links',
    '### [1.2.0](https://github.com/a/b/compare/v1...v2) (2026-01-02)\n\n### Bug Fixes\n\n* **core:** fix leak ([abc123](https://github.com/a/b/commit/abc123)), closes [#5](https://github.com/a/b/issues/5)',
    '### [1.2.0](https://github.com/a/b/compare/v1...v2) (2026-01-02)\n### Bug Fixes\n- **core:** fix leak ([abc123](https://github.com/a/b/commit/abc123)), closes [#5](https://github.com/a/b/issues/5)',
  ],
  [
    'jira comment',
    'As discussed [~accountid:5b10a2844c20165700ede21g]:\n\n# *Backend*\n## (/) Add endpoint {{GET /api/v1}}\n## (x) Write tests\n# *Frontend*\n## (!) Needs design',
    '- As discussed [~accountid:5b10a2844c20165700ede21g]:\n- **Backend**\n+ Add endpoint `GET /api/v1`\n- Write tests\n- **Frontend**\n- (!) Needs design',
  ],
  [
    'jira desc bold hdr',
    '*Steps to Reproduce:*\n # Open the page\n # Click *Save*\n\n*Expected Result:*\nSaved.\n\n*Actual Result:*\n{color:#de350b}Error 500{color}',
    '- **Steps to Reproduce:**\n- Open the page\n- Click **Save**\n- **Expected Result:**\n- Saved.\n- **Actual Result:**\n- Error 500',
  ],
  [
    'jira smartlink',
    '* [https://a.example/x|https://a.example/x|smart-link] \n* [^log.txt] _(2 kB)_\n* !screenshot-1.png|width=200,height=100!',
    '- https://a.example/x\n- _(2 kB)_',
  ],
  [
    'jira nested mixed',
    '* one\n*# two\n*# three\n** four\n- dash\n-- deeper',
    '- one\n- two\n- three\n- four\n- dash\n- deeper',
  ],
  [
    'jira panel color',
    '{panel:title=DoD|borderStyle=dashed|bgColor=#fff}\n- [ ] Reviewed\n- [x] Tested\n{panel}',
    '- Reviewed\n+ Tested',
  ],
  [
    'google docs',
    '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><ul><li role="checkbox" aria-checked="false" dir="ltr"><img src="data:image/png;base64,AA" width="17px" height="17px" alt="unchecked" aria-roledescription="checkbox"/><p dir="ltr"><span>Call Sam</span></p></li><li role="checkbox" aria-checked="true"><img alt="checked" aria-roledescription="checkbox"/><p><span style="text-decoration:line-through">Book</span></p></li></ul></b>',
    '- Call Sam\n+ Book',
  ],
  [
    'outlook',
    '<html xmlns:o="urn:schemas-microsoft-com:office:office"><body><p class=MsoNormal>Hi all,<o:p></o:p></p><ol style="margin-top:0cm" start=1 type=1><li class=MsoListParagraph style="mso-list:l0 level1 lfo1">Send the deck<o:p></o:p></li><li class=MsoListParagraph style="mso-list:l0 level1 lfo1">Book <b>room</b><o:p></o:p></li></ol><p class=MsoNormal><o:p>&nbsp;</o:p></p><p>Regards</p></body></html>',
    '- Hi all,\n- Send the deck\n- Book **room**\n- Regards',
  ],
  [
    'word symbol',
    '<p class=MsoListParagraphCxSpFirst style="text-indent:-18.0pt;mso-list:l0 level1 lfo1"><![if !supportLists]><span style="font-family:Symbol"><span style="mso-list:Ignore">·<span style="font:7.0pt">&nbsp;&nbsp; </span></span></span><![endif]>First</p><p class=MsoListParagraphCxSpLast style="mso-list:l0 level2 lfo1"><![if !supportLists]><span style="mso-list:Ignore">o </span><![endif]>Second</p>',
    '- First\n- Second',
  ],
  [
    'teams',
    '<div><ul><li itemprop="copy-paste-block">Prep agenda</li><li><input type="checkbox" checked="">Share notes</li></ul><div>&nbsp;</div><p>Thanks!</p></div>',
    '- Prep agenda\n+ Share notes\n- Thanks!',
  ],
  [
    'slack',
    '<span>Todo for <a href="https://app.slack.com/x" class="c-link">#release</a>:</span><ul data-stringify-type="unordered-list" class="p-rich_text_list"><li data-stringify-indent="0">tag</li></ul><ul><li data-stringify-indent="1">push :white_check_mark:</li></ul>',
    '- Todo for [#release](https://app.slack.com/x):\n- tag\n- push :white_check_mark:',
  ],
  [
    'slack text',
    '• tag v1.2\n    ◦ push\n    ◦ announce\n• deploy :rocket:\n:white_check_mark: freeze',
    '- tag v1.2\n- push\n- announce\n- deploy :rocket:\n+ freeze',
  ],
  [
    'notion toggle',
    '- [ ] Launch\n    \n    Some notes here\n    \n    - [x] Copy\n- Toggle title\n    \n    Hidden text\n\n<aside>\n💡 Remember this\n\n</aside>',
    '- Launch\n> Some notes here\n+ Copy\n- Toggle title\n> Hidden text\n- 💡 Remember this',
  ],
  [
    'obsidian callouts',
    '## Tasks\n- [ ] #project/x Do thing [[Note|alias]] ⏫ 📅 2026-03-04\n- [-] dropped ❌ 2026-01-01\n- [>] moved\n%% hidden comment %%\n![[image.png]]',
    '## Tasks\n- #project/x Do thing [[Note|alias]] 2026-03-04\nx dropped\n- moved\n> %% hidden comment %%\n> ![[image.png]]',
  ],
  [
    'obsidian dataview',
    '- [ ] Write [due:: 2026-05-05] [priority:: high]\n- [x] Read [completion:: 2026-01-01]',
    '- Write 2026-05-05\n+ Read',
  ],
  [
    'org habits',
    '* Inbox :inbox:\n** TODO [#B] Review PR :work:@ana:\n   DEADLINE: <2026-05-01 Fri>\n   :LOGBOOK:\n   - State "DONE" from "TODO" [2026-01-01 Thu]\n   :END:\n   Some notes.\n** NEXT Call [[tel:123][Bob]]\n*** DONE Sub\n    CLOSED: [2026-01-02 Fri 10:00]',
    '# Inbox\n- Review PR 2026-05-01\n> Some notes.\n- [NEXT] Call Bob\n+ Sub\n> CLOSED: [2026-01-02 Fri 10:00]',
  ],
  [
    'org checkbox desc',
    '#+title: Plan\n#+author: me\n\n- [ ] Pack :: the big bag\n- [X] Keys\n  + [-] Spare\n  1) [ ] Label\n\n#+begin_quote\nRemember\n#+end_quote',
    '# Plan\n- Pack :: the big bag\n+ Keys\n~ Spare\n- Label\n> Remember',
  ],
  [
    'chatgpt',
    '# ✅ Launch Checklist\n\n## 1. **Pre-launch**\n- [ ] **Domain**: buy it 🌐\n- [ ] **SSL**: enable\n\n---\n\n## 2. Post-launch\n1. **Monitor** – use `curl`:\n   ```bash\n   curl -I https://a.example\n   ```\n2. **Celebrate** 🎉\n\nWould you like me to expand this?',
    '# ✅ Launch Checklist\n## 1. **Pre-launch**\n- **Domain**: buy it 🌐\n- **SSL**: enable\n## 2. Post-launch\n- **Monitor** – use `curl`:\n> `curl -I https://a.example`\n- **Celebrate** 🎉\n- Would you like me to expand this?',
  ],
  [
    'mail reply',
    'On Mon, Jan 5, 2026 at 10:00 AM Bob <bob@a.example> wrote:\n> Please:\n> 1. Sign\n> 2. Scan\n>\n> Thanks\n\nDone 1, will do 2.',
    '- On Mon, Jan 5, 2026 at 10:00 AM Bob <bob@a.example> wrote:\n- Please:\n- Sign\n- Scan\n- Thanks\n- Done 1, will do 2.',
  ],
  [
    'release list',
    'Release 2.4\n===========\n\n[ ] bump version\n[x] changelog\n[~] docs\n[!] announce\n\nRollback\n--------\n[ ] restore db',
    '# Release 2.4\n- bump version\n+ changelog\nx docs\n- ! announce\n## Rollback\n- restore db',
  ],
  [
    'rst',
    'Checklist\n*********\n\n.. note:: Read first\n\n- [ ] ``make`` it\n- [x] :ref:`docs`',
    '# Checklist\n> .. note:: Read first\n- ``make`` it\n+ :ref:`docs`',
  ],
  [
    'textile/redmine',
    'h2. Deploy\n\n* [ ] @rake db:migrate@\n* [x] "Docs":https://a.example\n# one\n## two',
    '## Deploy\n- @rake db:migrate@\n+ "Docs":https://a.example\n- one\n- two',
  ],
  [
    'dokuwiki/tasklist html',
    '<ul class="task-list"><li class="task-list-item enabled"><input type="checkbox" class="task-list-item-checkbox" checked> One <p>more</p></li><li class="task-list-item"><p><input type="checkbox"> Two</p></li></ul>',
    '+ One\n> more\n- Two',
  ],
  [
    'German reply',
    'Am 05.01.2026 um 10:00 schrieb Eva Kurz:\n> - [ ] Angebot\n> - [x] Vertrag\n\nErledigt.',
    '- Am 05.01.2026 um 10:00 schrieb Eva Kurz:\n- Angebot\n+ Vertrag\n- Erledigt.',
  ],
  ['MediaWiki', '== Plan ==\n* Item\n** sub\n# one', '## Plan\n- Item\n- sub\n- one'],
  [
    'AsciiDoc',
    '== Steps ==\n\n* [*] checked\n* [ ] open\n** [ ] nested\n** [x] ready',
    '## Steps\n- checked\n- open\n- nested\n+ ready',
  ],
];

test.each(reported)('%s', (_, input, expected) => {
  expect(convert(input, 'auto').text).toBe(expected);
});

test('the set has its thirty inputs', () => expect(reported).toHaveLength(30));
