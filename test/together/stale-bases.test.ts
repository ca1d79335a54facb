import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { random } from '../../bench/random.ts';
import { readChecklist } from '../../src/text/read.ts';
import { makeChange } from '../chaos/changes.ts';
import { type Acknowledged, replay, type Violation } from '../chaos/model.ts';
import { runs, seed } from '../run/seed.ts';
import { createServer, ISSUE } from './server.ts';

/**
 * The clients of test/chaos over the real merge, with a history in memory: many users change one checklist, each on a
 * base that others have changed since. test/chaos/model.ts says what must be in the text after each change.
 */

const HISTORIES = 40;
const CHANGES = 80;
const CLIENTS = 6;

/** How many revisions a client's base may be behind. */
const MAX_BEHIND = 15;

async function violationsOf(seed: number): Promise<Violation[]> {
  const r = random(seed);
  const server = createServer('- Row 71001 alpha');
  await server.start();
  const { seq: firstSeq, epoch, text: firstText } = server.last();
  let rows = 0;
  const fresh = (client: number) => () => `Row ${client * 10_000 + ++rows} ${r.pick(['alpha', 'beta', 'gamma'])}`;
  const about = { issue: ISSUE, epoch, conflicts: [], clientId: 'first', who: 'the first' };
  const first = { base: { seq: 0, text: '' }, mine: firstText, text: firstText, seq: firstSeq };
  const changes: Acknowledged[] = [{ ...about, ...first, mutation: 'updateChecklistFromText' }];
  for (let count = 0; count < CHANGES; count++) {
    const client = 1 + r.int(CLIENTS);
    const base = server.revisions[Math.max(0, server.revisions.length - 1 - r.int(MAX_BEHIND))] ?? server.last();
    const { seq, hash, text } = base;
    const context = { random: r, fresh: fresh(client), template: () => undefined, earlier: undefined };
    const made = makeChange(readChecklist(text), context);
    if (!made || made.edit.kind === 'convertItemToIssue') continue;
    const clientId = randomUUID();
    const sent = { clientId, base: { epoch, seq, hash }, change: made.edit };
    const { checklist, conflicts, errors } = await server.answerChange(`account ${client}`, sent);
    if (!checklist) throw new Error(`${made.edit.kind} was refused: ${JSON.stringify(errors)}`);
    const author = { issue: ISSUE, who: `client ${client}`, clientId, mutation: made.edit.kind };
    const after = { mine: made.mine(null), epoch, seq: checklist.seq, text: checklist.text, conflicts };
    changes.push({ ...author, base: { seq, text }, ...after });
  }
  return replay(ISSUE, changes).violations;
}

test('changes on old bases are all in, and each row is there once', { timeout: 600_000 }, async () => {
  for (let index = 0; index < runs(5 * HISTORIES).numRuns; index++) {
    expect(await violationsOf(seed + index), `SEED=${seed + index}`).toEqual([]);
  }
});
