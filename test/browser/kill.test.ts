import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { random } from '../../bench/random.ts';
import { edition } from '../../src/domain/edition.ts';
import { hashText } from '../../src/text/document.ts';
import { readChecklist } from '../../src/text/read.ts';
import { seed } from '../run/seed.ts';
import { type Programs, startPrograms } from './programs.ts';

/** Both built programs, and a client that saves while one of them is killed. */

const ISSUE = { id: '10007', key: 'WEB-7' };
const ROUNDS = 6;

let programs: Programs;
/** Authenticates requests to the tracker as its default user, the editor. */
let cookie = '';
beforeAll(async () => {
  programs = await startPrograms({ persistentTracker: true });
  const answer = await fetch(`${programs.tracker.url}/host/state`);
  cookie = answer.headers
    .getSetCookie()
    .map(each => each.split(';')[0])
    .join('; ');
});
afterAll(() => programs.stop());

async function text(url: string, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(url, init);
  if (!answer.ok) throw new Error(`${answer.status} ${url.split('?')[0]}`);
  return answer.text();
}

async function signIn(): Promise<string> {
  const query = `issueKey=${ISSUE.key}&projectKey=WEB`;
  const token = await text(`${programs.tracker.url}/host/context-token?${query}`, { headers: { cookie } });
  const headers = { 'app-key': edition.key, authorization: `JWT ${token}` };
  return JSON.parse(await text(`${programs.addon.url}/api/jira/auth`, { headers })).token;
}

/** The issue's stored property. */
async function stored(): Promise<{ epoch: string; seq: number; text: string }> {
  const url = `${programs.tracker.url}/rest/api/2/issue/${ISSUE.key}?properties=${edition.key}.checklist`;
  const { properties } = JSON.parse(await text(url, { headers: { cookie } }));
  return properties[`${edition.key}.checklist`] ?? { epoch: '', seq: 0, text: '' };
}

/** Adds an item under the client id. Resolves with whether the server acknowledged it. */
async function add(session: string, item: string, clientId: string): Promise<boolean> {
  const base = await stored();
  const input = {
    issueId: ISSUE.id,
    clientId,
    base: { epoch: base.epoch, seq: base.seq, hash: await hashText(base.text) },
    change: { kind: 'addChecklistItemsFromText', text: item },
  };
  const query = `mutation ($input: ChangeChecklistInput!) {
    changeChecklist(input: $input) { checklist { seq } errors { code } }
  }`;
  const answer = await text(`${programs.addon.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `JWT ${session}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { input } }),
  });
  return JSON.parse(answer).data.changeChecklist.checklist !== null;
}

test('each change acknowledged before a kill -9 is stored after it, once', async () => {
  const acknowledged: string[] = [];
  const sent: { item: string; clientId: string }[] = [];
  const { int } = random(seed);
  for (let round = 0; round < ROUNDS; round++) {
    const target = round % 2 === 0 ? programs.addon : programs.tracker;
    const session = await signIn();
    const delay = 20 + int(250);
    const save = async (number: number): Promise<boolean> => {
      const change = { item: `round ${round} item ${number} of ${delay} ms`, clientId: randomUUID() };
      sent.push(change);
      const saved = await add(session, change.item, change.clientId).catch(() => false);
      if (saved) acknowledged.push(change.item);
      return saved;
    };
    // Even on a slow machine one change is acknowledged before the kill.
    expect(await save(0)).toBe(true);
    const killed = new Promise(resolve => setTimeout(resolve, delay)).then(() => target.kill('SIGKILL'));
    for (let i = 1; i < 50 && (await save(i)); i++);
    await killed;
    await target.start();
    // The client resends a change without an answer under the same id.
    const last = sent.at(-1);
    if (last && !acknowledged.includes(last.item)) {
      await expect.poll(async () => add(await signIn(), last.item, last.clientId)).toBe(true);
      acknowledged.push(last.item);
    }
  }
  const rowsStored = async () => readChecklist((await stored()).text).rows.map(row => row.text);
  await expect.poll(rowsStored).toEqual(expect.arrayContaining(acknowledged));
  const rows = await rowsStored();
  expect(new Set(rows)).toEqual(new Set(acknowledged));
  expect(rows).toHaveLength(acknowledged.length);
  expect(acknowledged.length).toBeGreaterThan(ROUNDS);
});
