import { TreeFragment } from '@lezer/common';
import { Emoji, GFM, parser as markdown } from '@lezer/markdown';
import { parser } from '../grammar/parser.ts';
import { reusingLines } from '../grammar/reuse.ts';
import { merge } from '../src/text/merge.ts';
import { readChecklist, readTree } from '../src/text/read.ts';
import { builtIn } from '../src/text/status-registry.ts';
import { amount, compare, given, isSmoke } from './comparison.ts';
import { alternate, elapsed, settle, type Times, table, timesOf } from './measure.ts';
import { random } from './random.ts';
import { adversarial, mixedText } from './texts.ts';

/*
 * Speed of the language beside alternatives in one run: machines differ, ratios much less. The target figures are
 * printed beside the measured ones. `npm run bench:text [SEED]`
 */

const seed = Number(given[0] ?? 1);
const peer = markdown.configure([GFM, Emoji]);
const reusing = reusingLines(parser);

const ms = (time: number) => `${time.toFixed(time < 10 ? 2 : 0)} ms`;
const print = (title: string, head: readonly string[], rows: readonly (readonly string[])[]) =>
  process.stdout.write(`${title}\n\n${table(head, rows)}\n\n`);

/** Lower bound of any reading: one regular expression for each line's mark and its content, no tree. */
function floor(text: string): number {
  const line = /^[ \t]*(?:#{1,6}|[-+~x>])?[ \t]+.*$/gm;
  let found = 0;
  for (const _ of text.matchAll(line)) found++;
  return found;
}

const inline =
  /`[^`\n]+`|\[[^[\]\n]+\]\(https?:[^)\s]+\)|https?:\/\/\S+|\[~accountid:[\w:-]+\]|\b[A-Z][A-Z0-9_]+-\d+\b|\b\d{4}-\d\d-\d\d\b|@[a-z][\w.-]*|:[\w+-]+:|\*\*|~~|[*_]/g;

/** The same with another expression for everything inside the lines. */
function floorWithAtoms(text: string): number {
  let found = floor(text);
  for (const _ of text.matchAll(inline)) found++;
  return found;
}

function throughput(): void {
  const text = mixedText(amount(100_000, 100), seed);
  const contestants = {
    checklist: () => parser.parse(text),
    markdown: () => peer.parse(text),
    'one regexp a line': () => floor(text),
    'and one for its inside': () => floorWithAtoms(text),
  };
  const times = alternate(amount(7), contestants, settle);
  compare({
    what: 'full parse of 100,000 lines, processor',
    ours: times.checklist.cpu,
    beside: '@lezer/markdown with GFM',
    other: times.markdown.cpu,
    unit: 'ms',
    goal: 1 / 6,
  });
  const row = (name: keyof typeof times) => [
    name,
    ms(times[name].median),
    `${(text.length / times[name].median / 1000).toFixed(1)} M/s`,
    `${(times.markdown.median / times[name].median).toFixed(1)} ×`,
    ms(times[name].cpu),
    `${(times.markdown.cpu / times[name].cpu).toFixed(1)} ×`,
  ];
  print(
    `Full parse of 100,000 mixed lines, ${(text.length / 1e6).toFixed(1)} M characters. Figure: 5 × @lezer/markdown with GFM`,
    ['', 'median', 'characters', 'of markdown', 'processor', 'of markdown'],
    [row('checklist'), row('markdown'), row('one regexp a line'), row('and one for its inside')],
  );
}

/** One letter typed at a random place, repeatedly, each time in the previous text. */
function keystrokes(lines: number, rounds: number): Record<'checklist' | 'markdown' | 'rows', Times> {
  const r = random(seed + lines);
  const taken = { checklist: [] as number[], markdown: [] as number[], rows: [] as number[] };
  let text = mixedText(lines, seed);
  let tree = parser.parse(text);
  let peerTree = peer.parse(text);
  let list = readTree(text, tree, builtIn);
  for (let round = 0; round < rounds; round++) {
    const from = r.int(text.length);
    const typed = text.slice(0, from) + r.pick(['a', 'b', ' ', 'x']) + text.slice(from);
    // The editor's text is in one piece already; here a joined one is flattened before it is measured.
    typed.charCodeAt(0);
    const change = { fromA: from, toA: from, fromB: from, toB: from + 1 };
    const again = (old: typeof tree) => TreeFragment.applyChanges(TreeFragment.addTree(old), [change]);
    taken.checklist.push(elapsed(() => (tree = reusing.parse(typed, again(tree)))));
    taken.rows.push(elapsed(() => (list = readTree(typed, tree, builtIn, list, { from, toA: from, toB: from + 1 }))));
    taken.markdown.push(elapsed(() => (peerTree = peer.parse(typed, again(peerTree)))));
    text = typed;
  }
  return { checklist: timesOf(taken.checklist), markdown: timesOf(taken.markdown), rows: timesOf(taken.rows) };
}

function incremental(): void {
  const cells = ({ median, p95 }: Times) => [ms(median), ms(p95)];
  const rows = (isSmoke ? [100] : [1000, 10_000, 100_000]).map(lines => {
    const { checklist, markdown, rows } = keystrokes(lines, amount(300));
    if (lines === 10_000) {
      const limits = { unit: 'ms', beside: 'the limit', goal: 1 } as const;
      compare({ what: 'parse after a keystroke, 10,000 lines', ours: checklist.median, other: 0.5, ...limits });
      compare({ what: 'rows after a keystroke, 10,000 lines', ours: rows.median, other: 0.1, ...limits });
    }
    return [lines.toLocaleString('en'), ...cells(checklist), ...cells(markdown), ...cells(rows)];
  });
  print(
    'After one keystroke. Figures at 10,000 lines: parse 1 ms and not above markdown, rows 0.2 ms',
    ['lines', 'parse', 'p95', 'markdown', 'p95', 'rows', 'p95'],
    rows,
  );
}

function rows(): void {
  const text = mixedText(amount(10_000, 100), seed);
  const tree = parser.parse(text);
  const times = alternate(amount(30), {
    'from a finished tree': () => readTree(text, tree, builtIn),
    'with the parse': () => readChecklist(text),
  });
  print(
    'Rows of 10,000 lines. Figure from a finished tree: 10 ms',
    ['', 'median', 'p95', 'processor'],
    Object.entries(times).map(([name, { median, p95, cpu }]) => [name, ms(median), ms(p95), ms(cpu)]),
  );
}

/** A text with about one line in twenty ticked, reworded, deleted or joined by another, or moved. */
function edited(text: string, by: number): string {
  const r = random(by);
  const lines = text.split('\n');
  for (let edits = Math.ceil(lines.length / 20); edits > 0; edits--) {
    const at = r.int(lines.length);
    const [line = ''] = lines.splice(at, 1);
    const change = r.int(5);
    if (change === 0) lines.splice(at, 0, line.replace(/^[-+~]/, '+'));
    else if (change === 1) lines.splice(at, 0, `${line} ${r.int(1000)}`);
    else if (change === 2) lines.splice(at, 0, line, `- added ${r.int(1000)}`);
    else if (change === 3) lines.splice(r.int(lines.length), 0, line);
  }
  return lines.join('\n');
}

function merging(): void {
  const cases = (isSmoke ? [50] : [750, 5000]).map(lines => {
    const base = mixedText(lines, seed);
    return [lines, base, edited(base, 1), edited(base, 2)] as const;
  });
  print(
    'Merge of two sides that each changed one line in twenty',
    ['rows', 'median', 'p95', 'processor'],
    cases.map(([lines, base, mine, theirs]) => {
      const { both } = alternate(amount(7), { both: () => merge(base, mine, theirs) });
      return [lines.toLocaleString('en'), ms(both.median), ms(both.p95), ms(both.cpu)];
    }),
  );
}

function lines(): void {
  const times = adversarial.map(pattern => {
    const line = (length: number) => `- ${pattern.repeat(Math.ceil(length / pattern.length))}`;
    const [short, long] = [line(amount(25_000, 250)), line(amount(100_000, 1_000))];
    const { quarter, whole } = alternate(amount(3), {
      quarter: () => readChecklist(short),
      whole: () => readChecklist(long),
    });
    return { pattern, quarter, whole };
  });
  const slowest = Math.max(...times.map(({ whole }) => whole.cpu));
  const bent = Math.max(...times.map(({ whole, quarter }) => whole.cpu / quarter.cpu));
  const adverse = { unit: 'ms', goal: 1 } as const;
  compare({ what: 'worst line of 100,000 characters', ours: slowest, beside: 'the limit', other: 100, ...adverse });
  compare({ what: 'a line four times as long', ours: bent, beside: 'linear, and half as much', other: 6, ...adverse });
  print(
    'Adversarial lines of 100,000 characters, parsed and read: the slowest ten. Figure: linear, 200 ms',
    ['pattern', '100,000', '25,000', 'processor', '25,000', 'ratio'],
    times
      .sort((a, b) => b.whole.cpu - a.whole.cpu)
      .slice(0, 10)
      .map(({ pattern, quarter, whole }) => [
        JSON.stringify(pattern),
        ms(whole.median),
        ms(quarter.median),
        ms(whole.cpu),
        ms(quarter.cpu),
        (whole.cpu / quarter.cpu).toFixed(1),
      ]),
  );
}

process.stdout.write(`node ${process.version}, seed ${seed}\n\n`);
throughput();
incremental();
rows();
merging();
lines();
