import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { freePort } from '../test/run/free-port.ts';
import { amount, compare, isSmoke } from './comparison.ts';
import { table, timesOf } from './measure.ts';
import { withHarness } from './server/harness.ts';
import { programSteps } from './server/program-steps.ts';
import { type Step, textSteps } from './server/text-steps.ts';
import { type ApiSession, install, signIn } from './server/users.ts';

/*
 * The longest time for which one request keeps all others waiting: the processor time of the main thread in one turn of
 * the event loop, of a built server on PostgreSQL without other work. Medians of several requests.
 * `npm run bench:steps -- [--times N] [--only PART OF A NAME]`
 */

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: String(amount(7)) },
    only: { type: 'string', default: isSmoke ? 'a text of 1,000 rows' : '' },
    smoke: { type: 'boolean' },
  },
});
const times = Number(values.times);
const ISSUE = '90001';

interface Position {
  epoch: string;
  seq: number;
  hash: string;
}

const CHANGE = `mutation ($input: ChangeChecklistInput!) {
  changeChecklist(input: $input) { checklist { epoch seq hash } errors { code message } }
}`;
const READ = 'query ($id: ID!) { checklist(issueId: $id) { epoch seq hash } }';
const TOUCHES = `checklistTouches(issueId: "${ISSUE}") { __typename }`;
const HISTORY = `checklistHistory(issueId: "${ISSUE}", first: 100) { entries { changeCount changes { kind row } } }`;
const IMPORT = `mutation ($input: ImportTemplatesInput!) {
  importTemplates(input: $input) { templates { id } errors { code message } }
}`;

/** The changes of one issue, each made of the newest version. */
async function issueOf(session: () => ApiSession, issueId = ISSUE) {
  let base: Position = (await session().graphql<{ checklist: Position }>(READ, { id: issueId })).checklist;
  return async (change: object, from: Partial<Position> & { text?: string } = {}) => {
    const { epoch, seq, hash } = base;
    const input = { issueId, clientId: randomUUID(), base: { epoch, seq, hash, ...from }, change };
    const { changeChecklist: made } = await session().graphql<{
      changeChecklist: { checklist: Position | null; errors: { code: string; message: string }[] | null };
    }>(CHANGE, { input });
    if (!made.checklist) throw new Error(made.errors?.[0]?.message ?? 'No answer.');
    base = made.checklist;
  };
}

const ROWS = 1_000;
const textOf = (word: string) => Array.from({ length: ROWS }, (_, index) => `- ${word} ${index}`).join('\n');
const edits = (word: string, values: (index: number) => object) => ({
  kind: 'changeChecklistItems',
  edits: Array.from({ length: ROWS }, (_, index) => ({
    kind: 'updateChecklistItem',
    target: { index, text: `${word} ${index}` },
    values: values(index),
  })),
});
const ticks = (word: string, status: string) => ({
  kind: 'changeChecklistItems',
  edits: Array.from({ length: ROWS }, (_, index) => ({
    kind: 'setItemStatus',
    target: { index, text: `${word} ${index}` },
    status,
  })),
});
/** The worst reading of a row by its length. */
const marks = (word: string) => `${word} ${'_*'.repeat(13_900)}`;

/** As many short rows as fit, which no other such text has. */
const short = (number: number) =>
  Array.from({ length: 3_500 }, (_, index) => `- ${(number * 3_500 + index).toString(36)}`).join('\n');

const rewritten = (text: string) => ({ kind: 'updateChecklistFromText', text });

await withHarness(2, async ({ stub, database, servers }) => {
  const METER_PORT = String(await freePort());
  const DATABASE_URL = await database('steps');
  const [server] = await servers({ DATABASE_URL, METER_PORT });
  await install(stub, server);
  let session = await signIn(server, 'heavy');
  const meter = async (path: string) =>
    (await (await fetch(`http://127.0.0.1:${METER_PORT}${path}`)).json()) as { longest: number; sum: number };
  const change = await issueOf(() => session);
  const changeOther = await issueOf(() => session, '90002');
  let number = 0;
  const next = () => `n${number++}`;
  const word = () => `n${number - 1}`;
  const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

  /** A row that is marks, changed. */
  const ofMarks = (kind: string, values: object) => ({
    before: () => change(rewritten(`${kind}${marks(next())}`)),
    run: () => change({ target: { index: 0, text: marks(word()) }, ...values }),
  });
  let texts = 0;

  const cases: Record<string, Step> = {
    'a change that renames 1,000 rows': {
      before: () => change(rewritten(textOf(next()))),
      run: () => change(edits(word(), index => ({ text: `other ${index} ${number}` }))),
    },
    'a change that assigns 1,000 rows': {
      before: () => change(rewritten(textOf(next()))),
      run: () => change(edits(word(), () => ({ assignee: 'a:1' }))),
    },
    'a change that ticks 1,000 rows': {
      before: () => change(rewritten(textOf(next()))),
      run: () => change(ticks(word(), 'done')),
    },
    'a text of 1,000 rows': { run: () => change(rewritten(textOf(next()))) },
    'the same of an old text': {
      before: () => change(rewritten(textOf(next()))),
      run: () => change(rewritten(textOf(next())), { seq: 0, hash: '-', text: textOf('old') }),
    },
    'a row of 28 KB with nested marks': { run: () => change(rewritten(`- ${marks(next())}`)) },
    'the same, four values': ofMarks('- ', {
      kind: 'updateChecklistItem',
      values: { mandatory: true, assignee: 'a:1', dueDate: '2026-12-01', details: 'b' },
    }),
    'the same, another text': ofMarks('', { kind: 'updateChecklistItem', values: { text: marks('other') } }),
    'the same, a tick': ofMarks('', { kind: 'setItemStatus', status: 'done' }),
    'a text of an unknown base of 60 KB, after 20 of 30 KB (refused)': {
      async before() {
        while (texts < 21) await changeOther(rewritten(short(texts++)));
      },
      run: () =>
        changeOther(rewritten(short(texts++)), {
          seq: 0,
          hash: '-',
          text: `${short(500)}\n${short(501)}`,
        }).catch(() => {}),
    },
    'a body of 500 KB of edits (refused)': {
      run: () =>
        change({
          kind: 'changeChecklistItems',
          edits: Array.from({ length: 6_800 }, (_, index) => ({
            kind: 'deleteChecklistItem',
            target: { index, text: `n${index}` },
          })),
        }).catch(() => {}),
    },
    'a body of 500 KB of text (refused)': {
      run: () => change(rewritten('- a\n'.repeat(100_000))).catch(() => {}),
    },
    'a history of 1,000 rows': {
      before: () => change(rewritten(textOf(next()))),
      run: () => session.graphql(`{ ${HISTORY} }`, {}),
    },
    'the last changes of 1,000 rows': { run: () => session.graphql(`{ ${TOUCHES} }`, {}) },
    'eight aliased histories (refused)': {
      run: () =>
        session.graphql(`{ ${[1, 2, 3, 4, 5, 6, 7, 8].map(n => `a${n}: ${TOUCHES}`).join(' ')} }`, {}).catch(() => {}),
    },
    'an import of 500 templates': { run: importing },
    ...textSteps(() => session),
    ...programSteps(() => session, server),
  };

  async function importing() {
    const templates = Array.from({ length: 500 }, () => ({ name: 'Equal', text: '- a\n- b\n- c' }));
    const file = JSON.stringify({ format: 'smart-checklist-templates', version: 1, templates });
    const { importTemplates: made } = await session.graphql<{
      importTemplates: { templates: { id: string }[] | null; errors: { message: string }[] | null };
    }>(IMPORT, { input: { file } });
    if (!made.templates) throw new Error(made.errors?.[0]?.message);
  }

  const lines: string[][] = [];
  let worst = 0;
  for (const [name, { before, run }] of Object.entries(cases)) {
    if (!name.includes(values.only)) continue;
    // A new account has all of its limits left.
    session = await signIn(server, `heavy-${number++}`);
    const found: { longest: number; sum: number }[] = [];
    for (let time = -amount(2, 0); time < times; time++) {
      await before?.();
      await pause(700);
      await meter('/start');
      try {
        await run();
      } catch (error) {
        throw new Error(`${name}: ${error instanceof Error ? error.message : 'failed'}`);
      }
      const figures = await meter('/stop');
      if (time >= 0) found.push(figures);
    }
    const median = (figure: 'longest' | 'sum') => timesOf(found.map(each => each[figure])).median.toFixed(1);
    const most = Math.max(...found.map(({ longest }) => longest)).toFixed(1);
    worst = Math.max(worst, timesOf(found.map(({ longest }) => longest)).median);
    lines.push([name, median('longest'), most, median('sum')]);
    process.stdout.write(`${lines.at(-1)?.join(' | ')}\n`);
  }
  compare({ what: 'longest step, worst request', ours: worst, beside: 'the limit', other: 25, unit: 'ms', goal: 1 });
  process.stdout.write(`\n${table(['request', 'longest ms', 'at most', 'all ms'], lines)}\n`);
});
