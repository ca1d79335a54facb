import { SignJWT } from 'jose';
import type { ChecklistChange } from '../../src/domain/change.ts';
import { edition } from '../../src/domain/edition.ts';
import { send } from '../../src/server/platform/tracker/send.ts';
import type { Running } from './programs.ts';

const SECRET = 'a secret of thirty-two characters';
const key = new TextEncoder().encode(SECRET);

/** The site of users for whom no other is named. */
const SITE = 'stub-client';

/** Installs the tracker's stub in the server, as a site. */
export async function install(
  stub: Running,
  server: Running,
  site = SITE,
  appKey: string = edition.key,
): Promise<void> {
  const body = JSON.stringify({ baseUrl: server.url, secret: SECRET, clientKey: site, key: appKey });
  const answer = await fetch(`${stub.url}/stub/install`, { method: 'POST', body });
  const { status } = (await answer.json()) as { status: number };
  if (status !== 204) throw new Error(`The installation was answered with ${status}.`);
}

/** A session at a server. */
export interface ApiSession {
  token: string;
  /** Returns the data unchecked: the query decides its shape. */
  graphql<Data = Record<string, Answer>>(query: string, variables: unknown): Promise<Data>;
}

interface Answer {
  checklist?: { epoch: string; seq: number; hash: string };
  epoch: string;
  seq: number;
  hash: string;
  errors?: { message: string }[];
}

export async function signIn(
  server: Pick<Running, 'url'>,
  account: string,
  site = SITE,
  appKey: string = edition.key,
): Promise<ApiSession> {
  const context = await new SignJWT({ qsh: 'context-qsh' })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(site)
    .setSubject(account)
    .setIssuedAt()
    .setExpirationTime('15m')
    .sign(key);
  const answer = await fetch(`${server.url}/api/jira/auth`, {
    headers: { 'app-key': appKey, authorization: `JWT ${context}` },
  });
  if (!answer.ok) throw new Error(`Signing in was answered with ${answer.status}.`);
  const { token } = (await answer.json()) as { token: string };
  const url = new URL('/graphql', server.url);
  return {
    token,
    async graphql<Data>(query: string, variables: unknown): Promise<Data> {
      // The client shares the processors with the measured servers, so it must use little.
      const response = await send(url, {
        method: 'POST',
        headers: { authorization: `JWT ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
        time: 30_000,
      });
      const { data, errors } = JSON.parse(await response.text()) as { data?: Data; errors?: unknown };
      if (!data || errors) throw new Error(`${response.status} ${JSON.stringify(errors)}`);
      return data;
    },
  };
}

const position = 'epoch seq hash';
const READ = `query ($id: ID!) { checklist(issueId: $id) { ${position} } }`;
const CHANGE = `mutation ($input: ChangeChecklistInput!) {
  changeChecklist(input: $input) { checklist { ${position} } errors { message } }
}`;

const items = Array.from({ length: 30 }, (_, index) => `Item number ${index} of a checklist as teams keep them`);

/** A user who works on an issue of their own. */
export interface BenchUser {
  issue: string;
  /** Changes one of the checklist's thirty items. */
  tick(): Promise<void>;
  read(): Promise<unknown>;
}

/** Fills the checklist with its thirty items. */
export async function personAt(server: Running, account: string, issue: string, site = SITE): Promise<BenchUser> {
  const benchUser = await signIn(server, account, site);
  const read = async () => {
    const { checklist } = await benchUser.graphql(READ, { id: issue });
    if (!checklist) throw new Error('Nothing was read.');
    return { epoch: checklist.epoch, seq: checklist.seq, hash: checklist.hash };
  };
  const make = async (base: object, change: ChecklistChange) => {
    const input = { issueId: issue, clientId: crypto.randomUUID(), base, change };
    const { changeChecklist: payload } = await benchUser.graphql<{ changeChecklist: Answer }>(CHANGE, { input });
    if (!payload.checklist) throw new Error(payload.errors?.[0]?.message ?? 'No answer.');
    return payload.checklist;
  };
  const text = items.map(item => `- ${item}`).join('\n');
  let base = await make(await read(), { kind: 'updateChecklistFromText', text });
  let count = 0;
  return {
    issue,
    read,
    async tick() {
      const index = count++ % items.length;
      const status = Math.floor((count - 1) / items.length) % 2 ? 'todo' : 'done';
      const target = { index, text: items[index] ?? '' };
      base = await make(base, { kind: 'setItemStatus', target, status });
    },
  };
}

/** Tries again what is refused, since the work before has used up what the site may do. */
export async function patiently<T>(work: () => Promise<T>, tries = 60): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (tries === 0) throw error;
    await new Promise(resolve => setTimeout(resolve, 1_000));
    return patiently(work, tries - 1);
  }
}
