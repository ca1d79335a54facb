import { expect, test } from 'vitest';
import { convert } from '../../../src/text/convert.ts';

const macro = (name: string, inner: string) => `<ac:structured-macro ac:name="${name}">${inner}</ac:structured-macro>`;
const parameter = (name: string, value: string) => `<ac:parameter ac:name="${name}">${value}</ac:parameter>`;

/** Markup with the checklist that it becomes, and what is reported beside nesting. */
const documents: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    'Confluence: code in an item',
    `<ul><li><p>Run</p>${macro('code', `${parameter('language', 'bash')}<ac:plain-text-body><![CDATA[npm ci\necho "<ok>"]]></ac:plain-text-body>`)}</li><li>Next</li></ul>`,
    '- Run\n> `npm ci`\n> `echo "<ok>"`\n- Next',
    ['bash'],
  ],
  [
    'Confluence: links with and without words',
    '<ul><li>See <ac:link><ri:page ri:content-title="Plan" /><ac:plain-text-link-body><![CDATA[the plan]]></ac:plain-text-link-body></ac:link> now</li><li><ac:link><ri:page ri:content-title="Home"/></ac:link></li><li><ac:link><ri:user ri:account-id="5b10a"/></ac:link> checks</li></ul>',
    '- See the plan now\n- Home\n- [~accountid:5b10a] checks',
    ['Plan'],
  ],
  [
    'Confluence: statuses and issues show their words',
    `<ul><li>Deploy ${macro('status', parameter('colour', 'Blue') + parameter('title', 'In Progress'))}</li><li>Fix ${macro('jira', parameter('server', 'Jira') + parameter('key', 'ABC-12'))} first</li></ul>`,
    '- Deploy In Progress\n- Fix ABC-12 first',
    ['Blue', 'Jira'],
  ],
  [
    'Confluence: emoticons',
    '<ul><li><ac:emoticon ac:name="tick"/> Built</li><li><ac:emoticon ac:name="cross"/> Sent</li><li><ac:emoticon ac:name="blue-star" ac:emoji-fallback="🎉"/> Party</li><li><ac:emoticon ac:name="warning"/> Careful</li></ul>',
    '+ Built\n- Sent\n- 🎉 Party\n- :warning: Careful',
    [],
  ],
  [
    'Confluence: tasks in tasks',
    '<ac:task-list><ac:task><ac:task-id>3</ac:task-id><ac:task-status>incomplete</ac:task-status><ac:task-body>One <time datetime="2026-03-01"/><ac:task-list><ac:task><ac:task-status>complete</ac:task-status><ac:task-body>Inner</ac:task-body></ac:task></ac:task-list></ac:task-body></ac:task></ac:task-list>',
    '- One 2026-03-01\n+ Inner',
    ['Inner'],
  ],
  [
    'Logseq: keywords in nested bullets, properties and a log',
    '- ## Plan\n\t- TODO Write\n\t  id:: 64f\n\t\t- DONE Draft\n\t\t  :LOGBOOK:\n\t\t  CLOCK: [2026-01-01]\n\t\t  :END:\n\t- DOING Ship\n\t- idea',
    '## Plan\n- Write\n+ Draft\n~ Ship\n- idea',
    ['- TODO Write', 'id:: 64f', ':LOGBOOK:', 'CLOCK: [2026-01-01]', ':END:'],
  ],
  [
    'Obsidian: signs of days before tags and names of lines',
    '- [ ] Pay 📅 2026-11-20 #task\n- [x] Book ✅ 2026-10-01 #home/trip\n- [ ] Rent 🔁 every week 📅 2026-01-02 #a #b ^abc123',
    '- Pay #task 2026-11-20\n+ Book #home/trip\n- Rent #a #b 2026-01-02',
    ['✅ 2026-10-01', '^abc123', '🔁 every week'],
  ],
  [
    'ideographic spaces indent',
    '・買う\n\u3000・牛乳\n\u3000\u3000低脂肪\n・行く',
    '- 買う\n- 牛乳\n> 低脂肪\n- 行く',
    ['・牛乳'],
  ],
  [
    'boxes behind ideographic spaces',
    '\u3000準備\n\u3000\u3000□ 部屋\n\u3000\u3000■ 案内',
    '- 準備\n- 部屋\n+ 案内',
    ['□ 部屋'],
  ],
  [
    'Spanish marks',
    '## ¿Qué falta?\n- [ ] ¡Comprar pan!\n- [x] ¿Listo?',
    '## ¿Qué falta?\n- ¡Comprar pan!\n+ ¿Listo?',
    [],
  ],
  ['a French list', 'À faire :\n– Pain\n– « Lait »\n★ Beurre', '- À faire :\n- Pain\n- « Lait »\n- Beurre', []],
  ['a Japanese header', '【準備】\n☐ 部屋\n☑ 案内', '- 【準備】\n- 部屋\n+ 案内', []],
  [
    'the signature of a mail with boxes',
    'Hi,\n\n- [ ] one\n- [x] two\n\nThanks\n-- \nAnn Lee',
    '- Hi,\n- one\n+ two\n- Thanks\n- Ann Lee',
    [],
  ],
  [
    'the signature of a mail',
    'Please:\n* milk\n\nBest regards,\nAnn\n--\nAnn Lee',
    '- Please:\n- milk\n- Best regards,\n- Ann\n- Ann Lee',
    [],
  ],
  [
    'a line of dashes in a mail',
    'Check\n1. a\n2. b\nRegards\n------------\nFrom: Bob',
    '- Check\n- a\n- b\n- Regards\n- From: Bob',
    [],
  ],
  ['an indented fence', '1. Build\n   ```\n   - no list\n   ```\n2. Ship', '- Build\n> `- no list`\n- Ship', []],
  [
    'bullets of Word’s symbol font',
    '·\tFreeze\no\tTag\n§\tShip\n\uF0B7\tPack\n\uF0A7\tSend\n\uF0FC\tDone\n\uF0A8\tOpen',
    '- Freeze\n- Tag\n- Ship\n- Pack\n- Send\n+ Done\n- Open',
    [],
  ],
  ['a section sign of a law', '§ 5 prüfen\n§ 7 prüfen', '- § 5 prüfen\n- § 7 prüfen', []],
  [
    'Org: a drawer that nothing closes',
    '* TODO A\n:PROPERTIES:\n:ID: 1\n* DONE B\n- [ ] c\n** TODO D',
    '- A\n> :ID: 1\n+ B\n- c\n- D',
    [':PROPERTIES:'],
  ],
  [
    'a warning among the icons of a table',
    '||Check||State||\n|Login|(/)|\n|Logout|(!)|\n|Save|(x)|',
    '+ Login\n- Logout\n> (!)\n- Save',
    [],
  ],
  [
    'a warning among the icons of a column that has no known name',
    '||Check||Firefox||\n|Login|(/)|\n|Logout|(!)|\n|Save|(x)|',
    '+ Login\n- (!) – Logout\n- Save',
    ['Check', 'Firefox'],
  ],
  [
    'boxes that the editor of the tracker escaped',
    'h2. Todo\n* \\[x\\] one\n* \\[ \\] two',
    '## Todo\n+ one\n- two',
    [],
  ],
  ['tildes of paths in wiki markup', 'h2. Paths\n* copy ~/bin:~/lib', '## Paths\n- copy /bin:/lib', ['~/bin:~']],
];

/** Text and Markdown that hold a mark of wiki markup or two, beside signs that it would take for looks. */
test.each([
  [
    '## Notes\n\n* {{var}} +1 from me +2\n* ~5 and ~6 {color}',
    '## Notes\n- {{var}} +1 from me +2\n- ~5 and ~6 {color}',
  ],
  ['* **bold** and {{x}} ??maybe??\n* [a](https://b.c)', '- **bold** and {{x}} ??maybe??\n- [a](https://b.c)'],
  ['Items {quote}\n- a ^1^ b\n- ~approx~ c', '- Items {quote}\n- a ^1^ b\n- ~approx~ c'],
  ['1. Use {code} tag\n2. H~2~O and x^2^ +ins+', '- Use {code} tag\n- H~2~O and x^2^ +ins+'],
  ['- [ ] Set {{ name }} and ~/bin or ~/lib\n- [x] C++ and D++', '- Set {{ name }} and ~/bin or ~/lib\n+ C++ and D++'],
])('%j is no wiki markup', (input, expected) => {
  expect(convert(input, 'auto')).toEqual({ text: expected, notation: expect.not.stringMatching('wiki'), lost: [] });
});

test.each([
  ['前\n準備\n====\n- a\n次\n片付け\n------\n- b', '- 前\n# 準備\n- a\n- 次\n## 片付け\n- b'],
  ['x\nTi\u0301tulo\n======\n- a', 'x\n# Ti\u0301tulo\n- a'],
  ['¿Qué?\n-----\n• ¡Pan!', '## ¿Qué?\n- ¡Pan!'],
])('a title between lines is known by the length of its rule: %j', (input, expected) => {
  expect(convert(input, 'auto').text.normalize('NFC')).toBe(expected.normalize('NFC'));
});

test.each(documents)('%s', (_, input, expected, reported) => {
  const { text, lost } = convert(input, 'auto');
  expect(text).toBe(expected);
  expect(lost.map(loss => loss.text)).toEqual(reported);
});
