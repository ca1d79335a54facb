import { Tree, TreeFragment } from '@lezer/common';
import { parser } from '../grammar/parser.ts';
import { reusingLines } from '../grammar/reuse.ts';
import { amount } from './comparison.ts';
import { type Random, random } from './random.ts';
import { randomText } from './texts.ts';

/*
 * Checks that every string is a checklist: random documents must parse without an error node or lost character, and an
 * incremental tree must equal that of a new parse. `npm run fuzz:text -- --seed N --documents N`
 */

/** Small parts, so that short documents have some to use again too. */
const strict = parser.configure({ strict: true, bufferLength: 4 });
const reusing = reusingLines(strict);
/** The default configuration. */
const usual = parser.configure({ strict: true });

const option = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};

/**
 * The first flaw of a tree of a text of that length: an error, a gap at its end, or a child outside its parent;
 * `undefined` if there is none.
 */
function flaw(tree: Tree, length: number): string | undefined {
  if (tree.length !== length) return `${tree.length} of ${length} characters`;
  const ends: number[] = [];
  let position = 0;
  let found: string | undefined;
  tree.iterate({
    enter({ type, from, to }) {
      if (type.isError) found ??= `error node at ${from}`;
      if (from < position || to > (ends.at(-1) ?? length)) found ??= `${type.name} ${from}-${to} is out of place`;
      position = from;
      ends.push(to);
    },
    leave() {
      position = ends.pop() ?? 0;
    },
  });
  return found;
}

/** Where two trees differ first. */
function difference(a: Tree, b: Tree): string | undefined {
  const left = a.cursor();
  const right = b.cursor();
  for (;;) {
    if (left.type !== right.type || left.from !== right.from || left.to !== right.to)
      return `${left.name} ${left.from}-${left.to} is ${right.name} ${right.from}-${right.to} in a new parse`;
    const more = left.next();
    if (more !== right.next()) return `one tree ends after ${left.name} ${left.from}-${left.to}`;
    if (!more) return undefined;
  }
}

/** How many characters of a tree stand in parts of another. */
function shared(before: Tree, after: Tree): number {
  const parts = new Set<unknown>();
  const collect = (part: Tree) => {
    parts.add(part);
    for (const child of part.children) if (child instanceof Tree) collect(child);
  };
  collect(before);
  const count = (part: Tree): number =>
    parts.has(part)
      ? part.length
      : part.children.reduce((sum, child) => sum + (child instanceof Tree ? count(child) : 0), 0);
  return count(after);
}

const totals = { documents: 0, characters: 0, changes: 0, after: 0, reused: 0 };

/** Up to four changes of one document, one after the other. */
function change(r: Random, start: string, first: Tree): string | undefined {
  let text = start;
  let tree = first;
  for (let changes = r.int(5); changes > 0; changes--) {
    const from = r.int(text.length + 1);
    const to = Math.min(text.length, from + (r.int(3) === 0 ? r.int(20) : r.int(2)));
    const insert = r.int(4) === 0 ? '' : randomText(r, 3);
    const next = text.slice(0, from) + insert + text.slice(to);
    const range = { fromA: from, toA: to, fromB: from, toB: from + insert.length };
    const fragments = TreeFragment.applyChanges(TreeFragment.addTree(tree), [range], 0);
    const again = reusing.parse(next, fragments);
    const wrong = flaw(again, next.length) ?? difference(again, strict.parse(next));
    if (wrong) return `${wrong}\n${JSON.stringify({ text, from, to, insert })}`;
    totals.changes++;
    totals.after += next.length;
    totals.reused += shared(tree, again);
    text = next;
    tree = again;
  }
  return undefined;
}

function check(seed: number): string | undefined {
  const r = random(seed);
  const text = randomText(r, r.int(200) === 0 ? 2000 : 40);
  try {
    const tree = reusing.parse(text);
    totals.documents++;
    totals.characters += text.length;
    const wrong = flaw(tree, text.length) ?? difference(usual.parse(text), tree);
    return wrong ? `${wrong}\n${JSON.stringify(text)}` : change(r, text, tree);
  } catch (error) {
    return `${error}\n${JSON.stringify(text)}`;
  }
}

const first = option('seed', 1);
const documents = option('documents', amount(100_000, 100));
let failures = 0;
const start = performance.now();
for (let seed = first; seed < first + documents && failures < 10; seed++) {
  const wrong = check(seed);
  if (!wrong) continue;
  failures++;
  process.stderr.write(`seed ${seed}: ${wrong}\n\n`);
}
const share = Math.round((100 * totals.reused) / Math.max(1, totals.after));
process.stdout.write(
  `seeds ${first} to ${first + totals.documents - 1}: ${totals.documents.toLocaleString('en')} documents of ` +
    `${totals.characters.toLocaleString('en')} characters, ${totals.changes.toLocaleString('en')} changes with ${share} % ` +
    `of the text used again, ${failures} failures, ${Math.round((performance.now() - start) / 1000)} s\n`,
);
process.exitCode = failures > 0 ? 1 : 0;
