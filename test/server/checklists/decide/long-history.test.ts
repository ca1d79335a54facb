import { Parser } from '@lezer/common';
import { expect, test, vi } from 'vitest';
import { decide } from '../../../../src/server/checklists/decide/decide.ts';
import type { Version } from '../../../../src/server/checklists/decide/state.ts';
import type { Proposal } from '../../../../src/server/checklists/decide/types.ts';
import { carryRows, proposalOf, seedOf, stateOf, versionOf } from '../../support/history.ts';

const ROWS = 120;
const REVISIONS = 100;

/** A history in which each revision rewords a row or deletes one, newest first. */
function history(): [Version, ...Version[]] {
  let text = Array.from({ length: ROWS }, (_, index) => `- item ${index} of the release`).join('\n');
  let rows = carryRows({ text: '', rows: [] }, text);
  const versions: Version[] = [];
  for (let seq = 1; seq <= REVISIONS; seq += 1) {
    const lines = text.split('\n');
    const at = (seq * 37) % lines.length;
    if (seq % 7 === 0) lines.splice(at, 1);
    else lines[at] = `+ item ${seq} with other words`;
    const next = lines.join('\n');
    rows = carryRows({ text, rows }, next, ROWS + seq * ROWS);
    text = next;
    versions.unshift(versionOf(seq, text, rows));
  }
  const [newest, ...older] = versions;
  if (!newest) throw new Error('The history is empty.');
  return [newest, ...older];
}

/** A foreign text that changes and adds a row of the newest revision. */
function foreign(newest: Version, base: string, number: number): Proposal {
  const lines = newest.text.split('\n');
  lines[3 * number] = `+ changed elsewhere ${number}`;
  lines.splice(1, 0, `- added elsewhere ${number}`);
  const text = lines.join('\n');
  return proposalOf(
    { kind: 'foreignField', text },
    { account: 'mia', clientId: `change-${number}`, base: { epoch: '', seq: 0, hash: '', text: base } },
  );
}

test('foreign texts are merged with a long history without parsing its revisions each time', () => {
  const versions = history();
  const [newest] = versions;
  const state = stateOf(versions, { hashed: [] });
  const proposals = Array.from({ length: 10 }, (_, number) => foreign(newest, versions[5]?.text ?? '', number));
  const parse = vi.spyOn(Parser.prototype, 'startParse');
  const { revisions } = decide({
    issue: '1',
    epoch: 'e',
    state,
    proposals,
    statuses: [],
    project: undefined,
    seed: seedOf(1),
    now: 0,
  });
  const parsed = parse.mock.calls.filter(([, fragments]) => !fragments?.length).length;
  parse.mockRestore();
  const text = revisions.at(-1)?.text ?? '';
  expect(revisions).toHaveLength(proposals.length);
  for (const number of proposals.keys()) {
    expect(text).toContain(`+ changed elsewhere ${number}`);
    expect(text).toContain(`- added elsewhere ${number}`);
  }
  expect(parsed).toBeLessThan(REVISIONS);
});
