import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convert, type Notation } from '../../../src/text/convert.ts';
import { runs } from '../../run/seed.ts';

/*
 * Whatever a document shows is in the checklist or in the report of losses. Documents are built of words that occur once,
 * between marks of their notation, so that each can be looked for.
 */

/** Words with signs that some notation reads, each made unique by its number. */
const shapes = [
  ...[
    'w#',
    'C#x++',
    '#%',
    'a&b#',
    'x_y#',
    'v#.0',
    'q#?',
    'mañana#',
    '東京#',
    'naïve#',
    'cafe\u0301#',
    'it’s#',
    '#/2',
    'é#!',
  ],
  ...['$#', 'a=b#', 'x@#.org', '№#', '“#”', '(#)', '#°', '🎉#', 'über#', 'ПРИВЕТ#', '한글#', '#-b', 'f(#)'],
];

const word = fc
  .tuple(fc.constantFrom(...shapes), fc.integer({ min: 1000, max: 9999 }))
  .map(([shape, n]) => shape.replace('#', String(n)));
const words = fc.array(word, { minLength: 1, maxLength: 3 });

interface Builder {
  /** Marks around a line's words. */
  lines: readonly ((words: string) => string)[];
  /** What writes a word. */
  escape?: (word: string) => string;
}

const around = (...pairs: readonly (readonly [string, string])[]) =>
  pairs.map(
    ([before, after]) =>
      (words: string) =>
        before + words + after,
  );

const html = (word: string) => word.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const quoted = (word: string) => `"${word.replace(/"/g, '""')}"`;

const builders: Record<Notation, Builder> = {
  github: {
    lines: around(
      ...([
        ['- [ ] ', ''],
        ['* [x] ', ''],
        ['  - ', ''],
        ['1. ', ''],
        ['# ', ''],
        ['### ', ' ##'],
        ['', ''],
        ['', '\n'],
        ['> ', ''],
      ] as const),
      ...([
        ['| ', ' | b |'],
        ['```\n', '\n```'],
        ['    ', ''],
        ['<!-- ', ' -->'],
        ['<details><summary>', '</summary>'],
        ['</details>\n', ''],
      ] as const),
      ...([
        ['- **', '**'],
        ['~~', '~~'],
        ['![', '](a.png)'],
        ['[', '](https://a.b)'],
        ['[', '](b)'],
        ['<p>', '</p>'],
        ['<li>', ''],
        ['- [-] ', ''],
      ] as const),
      ...([
        ['- [>] ', ''],
        ['☐ ', ''],
        ['- ', ' 📅 2026-01-01'],
        ['---\nkey: ', '\n---'],
        ['Title ', '\n==='],
        ['- <b>', '</b>'],
        ['<b>', ''],
        ['<Foo>', '</Foo>'],
      ] as const),
    ),
  },
  'issue-checklist': {
    lines: around(
      ['[x] ', ''],
      ['[] ', ''],
      ['- [ ] ? ', ''],
      ['>> ', ''],
      ['--- ', ''],
      ['# ', ''],
      ['* ', ''],
      ['', ''],
      ['---', ''],
      ['[>] ', ''],
    ),
  },
  wiki: {
    lines: around(
      ...([
        ['* ', ''],
        ['** (/) ', ''],
        ['# [x] ', ''],
        ['h2. ', ''],
        ['h3.', ''],
        ['bq. ', ''],
        ['||', '||'],
        ['|', '|b|'],
        ['|a|', ''],
        ['* Run:{code}\n', '\n{code}'],
      ] as const),
      ...([
        ['{code:sh}', '{code}'],
        ['{quote}', '{quote}'],
        ['{panel:title=', '}'],
        ['{noformat}\n', ''],
        ['* {*}', '{*}'],
        ['* {_}', ''],
        ['[', '|https://a.b]'],
        ['[', '|x]'],
      ] as const),
      ...([
        ['[^', ']'],
        ['', ''],
        ['* {{', '}}'],
        ['-- ', ''],
        ['{color:red}', '{color}'],
        ['??', '??'],
        ['{expand}', ''],
      ] as const),
    ),
  },
  org: {
    lines: around(
      ...([
        ['* ', ''],
        ['** TODO ', ''],
        ['** DONE ', ' :tag:'],
        ['- [X] ', ''],
        ['- [-] ', ' [1/2]'],
        ['1. ', ''],
        ['#+TITLE: ', ''],
        ['# ', ''],
        ['#+BEGIN_SRC ', '\n#+END_SRC'],
      ] as const),
      ...([
        ['| ', ' | b |'],
        [':PROPERTIES:\n:k: ', '\n:END:'],
        ['DEADLINE: <2026-01-01> ', ''],
        ['', ''],
        ['- *', '*'],
        ['[[https://a.b][', ']]'],
        ['#+TODO: A | ', ''],
      ] as const),
    ),
  },
  taskpaper: {
    lines: around(
      ['- ', ''],
      ['\t- ', ' @done'],
      ['', ':'],
      ['', ''],
      ['- [x] ', ' @flag(x)'],
      ['\t\t', ''],
      ['- ', ' @due(2026-01-01)'],
    ),
  },
  'todo-txt': {
    lines: around(
      ['', ''],
      ['x ', ''],
      ['(A) ', ''],
      ['x 2026-01-01 2026-01-01 ', ' +p'],
      ['', ' due:2026-01-01'],
      ['+', ''],
    ),
  },
  directives: {
    lines: around(
      [':::checklist text="', '"'],
      ['- text="', '" status="checked"'],
      ['- text="a" status="', '"'],
      ['- text="a" x="', '"'],
      ['', ''],
      ['- [x] ', ''],
      [':::', ''],
    ),
  },
  html: {
    lines: around(
      ...([
        ['<ul><li>', '</li></ul>'],
        ['<p>', '</p>'],
        ['<h2>', '</h2>'],
        ['<li>', ''],
        ['<b>', '</b>'],
        ['<td>', ''],
        ['<table><tr><td>', '</td></tr></table>'],
        ['', ''],
      ] as const),
      ...([
        ['<pre>', '</pre>'],
        ['<div>', ''],
        ['</ul>', ''],
        ['<a href="x">', '</a>'],
        ['<ac:task><ac:task-body>', '</ac:task-body></ac:task>'],
        ['<ac:parameter ac:name="t">', '</ac:parameter>'],
      ] as const),
      ...([
        ['<ac:plain-text-body><![CDATA[', ']]></ac:plain-text-body>'],
        ['<en-todo checked="true"/>', ''],
        ['<table>', '</table>'],
        ['<li><p>', '</p><p>x</p></li>'],
        ['<select><option>', '</option></select>'],
      ] as const),
      ...([
        ['<label><input type=checkbox checked>', '</label>'],
        ['<th>', '</th>'],
        ['<details><summary>', '</summary>'],
        ['<a', ''],
        ['< ', ''],
      ] as const),
    ),
    escape: html,
  },
  csv: {
    lines: [
      ...around(['', ','], ['Task,Notes,', ''], ['a,', ',b'], ['a;', ';'], ['', '']),
      words => quoted(words),
      words => `a,${quoted(`${words}\n${words}`)}`,
      () => 'Task,Status,Assignee,Due,Section,Notes',
      () => 'Name,Completed,Priority',
      words => `x,${words},${words},${words},${words},${words}`,
    ],
  },
  json: { lines: [] },
  text: {
    lines: around(
      ['', ''],
      ['- ', ''],
      ['[x] ', ''],
      ['☑ ', ''],
      ['• ', ''],
      ['  ', ''],
      ['# ', ''],
      ['> ', ''],
      ['===', ''],
      ['x ', ''],
      ['1) ', ''],
      ['', '\n---'],
      ['■ ', ''],
      ['[>] ', ''],
    ),
  },
};

const documentOf = ({ lines, escape: written = word => word }: Builder) =>
  fc.array(fc.tuple(fc.constantFrom(...lines), words), { minLength: 1, maxLength: 8 }).map(parts => ({
    text: parts.map(([line, of]) => line(of.map(written).join(' '))).join('\n'),
    words: parts.filter(([line]) => line('\u0001').includes('\u0001')).flatMap(([, of]) => of),
  }));

const found = (said: string, word: string) => said.includes(word) || said.includes(word.normalize('NFC'));

const notations = Object.keys(builders).filter((notation): notation is Notation => notation !== 'json');

test.each(notations.flatMap(from => [[from, from] as const, [from, 'auto'] as const]))(
  '%s, read as %s: each word is in the text or in the report',
  (of, from) => {
    fc.assert(
      fc.property(documentOf(builders[of]), ({ text, words }) => {
        const { text: written, lost } = convert(text, from);
        const said = `${written}\n${lost.map(loss => loss.text).join('\n')}`;
        // Code says its words as they are in their source.
        for (const word of words)
          expect(found(said, word) || (of === 'html' && found(said, html(word))), `${word} in ${said}`).toBe(true);
      }),
      runs(1500),
    );
  },
);

test('wiki: a sign of a look that is lost is in the text or in the report', () => {
  const signed = fc
    .tuple(
      fc.constantFrom('~/#', '#~', '+#+', '^#^', '~#', '??#??', '#??', '#', '#+', '^#'),
      fc.integer({ min: 1000, max: 9999 }),
    )
    .map(([shape, n]) => shape.replace('#', String(n)));
  const line = fc.array(signed, { minLength: 1, maxLength: 4 });
  const mark = fc.constantFrom('* ', '** (/) ', 'h2. ', 'bq. ', '', '|a|', '- ');
  fc.assert(
    fc.property(fc.array(fc.tuple(mark, line), { minLength: 1, maxLength: 4 }), lines => {
      const { text, lost } = convert(lines.map(([start, of]) => start + of.join(' ')).join('\n'), 'wiki');
      const said = `${text}\n${lost.map(loss => loss.text).join('\n')}`;
      for (const word of lines.flatMap(([, of]) => of)) expect(said).toContain(word);
    }),
    runs(1500),
  );
});

test('json: each word is in the text or in the report', () => {
  const key = fc.constantFrom(
    'name',
    'title',
    'text',
    'checked',
    'status',
    'due',
    'notes',
    'desc',
    'id',
    'assignee',
    'kind',
    'x',
  );
  const list = fc.constantFrom('items', 'tasks', 'lists', 'cards', 'checklists', 'checkItems', 'things');
  const { tree } = fc.letrec(tie => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.dictionary(key, word, { minKeys: 1, maxKeys: 4 }),
      fc
        .tuple(
          fc.dictionary(key, word, { minKeys: 1, maxKeys: 3 }),
          list,
          fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
        )
        .map(([fields, name, held]) => ({ ...fields, [name]: held })),
    ),
  }));
  fc.assert(
    fc.property(tree, value => {
      const source = JSON.stringify(value);
      const { text, lost } = convert(source, 'json');
      const said = `${text}\n${lost.map(loss => loss.text).join('\n')}`;
      const inside: string[] = [];
      JSON.stringify(value, (_, part) => {
        if (typeof part === 'string') inside.push(part);
        return part;
      });
      for (const part of inside) expect(said).toContain(part);
    }),
    runs(2000),
  );
});

/** Every string in a value. */
function stringsIn(value: unknown): string[] {
  const inside: string[] = [];
  JSON.stringify(value, (_, part) => {
    if (typeof part === 'string') inside.push(part);
    return part;
  });
  return inside;
}

/** Words of an export that neither its text nor the report says. */
function missing(source: string, from: Notation | 'auto', words: readonly string[]): string[] {
  const { text, lost } = convert(source, from);
  const said = `${text}\n${lost.map(loss => loss.text).join('\n')}`;
  return words.filter(word => !found(said, word) && !found(said, html(word)));
}

const fields = fc.dictionary(
  fc.constantFrom(
    'name',
    'title',
    'content',
    'isDone',
    'state',
    'due_on',
    'notes',
    'owner',
    'type',
    'key',
    'label',
    'z',
  ),
  word,
  { minKeys: 1, maxKeys: 4 },
);

test('json with objects around objects, people, comments and archived parts: each word is in the text or in the report', () => {
  const named = fc.oneof(
    fields,
    fields.map(inner => ({ assignee: { id: 7, ...inner } })),
    fc
      .tuple(word, fields)
      .map(([title, inner]) => ({ title, comments: [inner, { author: { name: title }, text: title }] })),
    fc.tuple(word, fields).map(([title, inner]) => ({ title, archived: true, notes: title, items: [inner] })),
    fc
      .tuple(word, fields)
      .map(([title, inner]) => ({ title, labels: [title, inner], due: { date: '2026-01-01', string: title } })),
  );
  const wrapped = fc.oneof(
    fc.tuple(fields, named).map(([own, inner]) => ({ ...own, attributes: inner })),
    fc.tuple(word, named).map(([title, inner]) => ({ title, list: { items: [inner] } })),
    named.map(inner => ({ data: { list: { entries: [inner, inner] } } })),
    fc.tuple(word, named).map(([name, inner]) => ({ name, tasks: { a: inner, b: inner } })),
  );
  fc.assert(
    fc.property(fc.oneof(named, wrapped, fc.array(wrapped, { minLength: 1, maxLength: 3 })), value => {
      expect(missing(JSON.stringify(value), 'json', stringsIn(value))).toEqual([]);
    }),
    runs(2000),
  );
});

test('boards whose parts refer to each other: each word is in the text or in the report', () => {
  const row = fc.tuple(fields, fc.integer({ min: 1, max: 3 }), fc.boolean());
  const rows = (reference: string) =>
    fc
      .array(row, { minLength: 1, maxLength: 3 })
      .map(all => all.map(([inner, to, closed], i) => ({ id: i + 1, closed, [reference]: to, ...inner })));
  const board = fc.record({
    name: word,
    lists: rows('x'),
    cards: rows('idList'),
    checklists: rows('idCard'),
    actions: rows('y'),
  });
  const database = fc.record({
    lists: rows('x'),
    tasks: rows('list_id'),
    subtasks: rows('task_id'),
    notes: rows('task_id'),
  });
  fc.assert(
    fc.property(fc.oneof(board, database), value => {
      expect(missing(JSON.stringify(value), 'json', stringsIn(value))).toEqual([]);
    }),
    runs(1000),
  );
});

test('documents of Atlassian editors: each word is in the text or in the report', () => {
  const text = word.map(text => ({ type: 'text', text }));
  const marked = fc
    .tuple(word, fc.constantFrom('strong', 'em', 'code', 'strike', 'underline'))
    .map(([text, type]) => ({ type: 'text', text, marks: [{ type }] }));
  const atom = fc
    .tuple(word, fc.constantFrom('mention', 'emoji', 'status', 'placeholder', 'odd'))
    .map(([text, type]) => ({ type, attrs: { text } }));
  const inline = fc.array(fc.oneof(text, marked, atom), { minLength: 1, maxLength: 3 });
  const { node } = fc.letrec(tie => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc
        .tuple(fc.constantFrom('paragraph', 'heading', 'codeBlock', 'taskItem', 'blockquote', 'decisionItem'), inline)
        .map(([type, content]) => ({ type, attrs: { level: 2, state: 'DONE' }, content })),
      fc
        .tuple(
          fc.constantFrom('bulletList', 'listItem', 'taskList', 'panel', 'expand', 'layoutSection', 'bodiedExtension'),
          fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
        )
        .map(([type, content]) => ({ type, content })),
      fc.array(fc.array(tie('node'), { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 }).map(cells => ({
        type: 'table',
        content: cells.map(content => ({ type: 'tableRow', content: [{ type: 'tableCell', content }] })),
      })),
    ),
  }));
  fc.assert(
    fc.property(fc.array(node, { minLength: 1, maxLength: 3 }), content => {
      const source = { type: 'doc', version: 1, content };
      const words: string[] = [];
      JSON.stringify(content, (key, part) => {
        if (key === 'text' && typeof part === 'string') words.push(part);
        return part;
      });
      expect(missing(JSON.stringify(source), 'auto', words)).toEqual([]);
    }),
    runs(1000),
  );
});

test('notes of Evernote and outlines: each word is in the text or in the report', () => {
  const note = fc.tuple(word, word, word, word, word).map(([title, tag, file, task, todo]) => ({
    words: [title, tag, file, task, todo],
    text:
      `<note><title>${html(title)}</title><tag>${html(tag)}</tag><task><title>${html(task)}</title><taskStatus>open</taskStatus></task>` +
      `<content><![CDATA[<?xml version="1.0"?>\n<!DOCTYPE en-note SYSTEM "x"><en-note><div><en-todo/>${html(todo)}</div></en-note>]]></content>` +
      `<resource><data>aGVsbG8=</data><resource-attributes><file-name>${html(file)}</file-name></resource-attributes></resource></note>`,
  }));
  const attribute = (word: string) => html(word).replace(/"/g, '&quot;');
  const name = fc.constantFrom('text', 'title', '_note', 'htmlUrl', 'xmlUrl', 'type', 'odd');
  const outline = fc.dictionary(name, word, { minKeys: 1, maxKeys: 4 }).map(all => ({
    words: Object.values(all),
    text: `<outline ${Object.entries(all)
      .map(([key, value]) => `${key}="${attribute(value)}"`)
      .join(' ')}/>`,
  }));
  const all = (parts: readonly { words: string[]; text: string }[]) => ({
    words: parts.flatMap(({ words }) => words),
    text: parts.map(({ text }) => text).join('\n'),
  });
  const notes = fc.array(note, { minLength: 1, maxLength: 3 }).map(parts => {
    const { words, text } = all(parts);
    return { words, text: `<?xml version="1.0"?>\n<en-export>${text}</en-export>` };
  });
  const outlines = fc
    .tuple(word, word, fc.array(outline, { minLength: 1, maxLength: 4 }))
    .map(([title, owner, parts]) => {
      const { words, text } = all(parts);
      const head = `<head><title>${html(title)}</title><ownerName>${html(owner)}</ownerName></head>`;
      return { words: [title, owner, ...words], text: `<opml version="2.0">${head}<body>${text}</body></opml>` };
    });
  fc.assert(
    fc.property(fc.oneof(notes, outlines), ({ words, text }) => {
      expect(missing(text, 'auto', words)).toEqual([]);
    }),
    runs(1000),
  );
});

test('exports as cells, with types, subtasks and several days: each word is in the text or in the report', () => {
  const heads = [
    'TYPE,CONTENT,DESCRIPTION,PRIORITY,RESPONSIBLE,DATE,DEADLINE',
    'Task Name,Bucket Name,Progress,Assigned To,Due Date,Checklist Items,Notes',
    ',Task,Owner,Completed At,Title,Content,Type',
  ];
  const cell = fc.oneof(
    word.filter(text => !/[",]/.test(text)),
    fc.constantFrom('', '', 'section', 'note', 'meta', 'TRUE', 'FALSE', '2026-01-01', 'Done', '[x]', '■'),
  );
  const row = fc.array(cell, { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(fc.constantFrom(...heads), fc.array(row, { minLength: 1, maxLength: 5 }), (head, rows) => {
      const words = rows.flat().filter(text => /\d{4}/.test(text) && !text.startsWith('2026'));
      expect(missing([head, ...rows.map(cells => cells.join(','))].join('\n'), 'csv', words)).toEqual([]);
    }),
    runs(2000),
  );
});
