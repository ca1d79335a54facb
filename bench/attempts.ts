import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { given, isSmoke } from './comparison.ts';
import { table } from './measure.ts';
import { type Harness, withHarness } from './server/harness.ts';
import type { Running } from './server/programs.ts';
import { install, signIn } from './server/users.ts';

/*
 * Hostile requests to built servers: `npm run bench:attempts -- [FOLDER OF A SERVER …]`, by default of both editions. Ends
 * with 1 where one got through, took long, or the server ended.
 */

const folders = given.length > 0 ? given : isSmoke ? ['dist/server'] : ['dist/server', 'dist/free/server'];
/** Milliseconds after which an answer to a small hostile request is no refusal any more. */
const LONG = 5_000;

interface Answer {
  status: number;
  text: string;
}

/** An attempt, and whether its answer is as it should be. */
interface Attempt {
  name: string;
  make(): Promise<Answer>;
  isRefused(answer: Answer): boolean;
}

const SECRET = 'a secret of thirty-two characters';
const other = (text: string) => ({ kind: 'updateChecklistFromText', text });

async function context(claims: { issued?: number; hours?: number; key?: string; query?: string }): Promise<string> {
  const at = Math.floor(Date.now() / 1_000) + (claims.issued ?? 0);
  return new SignJWT({ qsh: claims.query ?? 'context-qsh' })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('stub-client')
    .setSubject('mallory')
    .setIssuedAt(at)
    .setExpirationTime(at + 3_600 * (claims.hours ?? 0.25))
    .sign(new TextEncoder().encode(claims.key ?? SECRET));
}

async function attemptsAt({ stub }: Harness, server: Running, appKey: string): Promise<Attempt[]> {
  await install(stub, server, 'stub-client', appKey);
  await install(stub, server, 'stub-other', appKey);
  const [mine, theirs] = [
    await signIn(server, 'ana', 'stub-client', appKey),
    await signIn(server, 'mallory', 'stub-other', appKey),
  ];
  const ask = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const answer = await fetch(new URL(path, server.url), { ...init, signal: AbortSignal.timeout(60_000) });
    return { status: answer.status, text: await answer.text() };
  };
  const graphql = (token: string | undefined, body: unknown) =>
    ask('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `JWT ${token}` }) },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const READ = 'query ($id: ID!) { checklist(issueId: $id) { text } }';
  const CHANGE = `mutation ($input: ChangeChecklistInput!) {
    changeChecklist(input: $input) { checklist { epoch seq text } errors { code } } }`;
  const change = (token: string | undefined, issueId: string, change: object) => {
    const input = { issueId, clientId: randomUUID(), base: { epoch: '', seq: 0, hash: '-', text: '' }, change };
    return graphql(token, { query: CHANGE, variables: { input } });
  };
  const written = await change(mine.token, '1', other('- secret of a site'));
  const epoch = /"epoch":"([^"]+)"/.exec(written.text)?.[1] ?? 'none';
  const CREATE =
    'mutation ($input: CreateTemplateFromTextInput!) { createTemplateFromText(input: $input) { template { id } errors { code } } }';
  const made = await graphql(mine.token, { query: CREATE, variables: { input: { name: 'Mine', text: '- a' } } });
  const template = /"id":"([^"]+)"/.exec(made.text)?.[1] ?? 'none';

  if (epoch === 'none' || template === 'none') throw new Error('There is nothing to attempt.');

  const isRefused = ({ status, text }: Answer) => status >= 400 && status < 500 && !text.includes('secret of');
  const isError = ({ status, text }: Answer) =>
    isRefused({ status, text }) || /"code":"|"errors":\[\{"message"/.test(text);
  const isQuiet = ({ status, text }: Answer) => status < 500 && !text.includes('secret of');
  const auth = async (token: string) =>
    ask('/api/jira/auth', { headers: { 'app-key': appKey, authorization: `JWT ${token}` } });
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ iss: 'stub-client', sub: 'ana', exp: 9e9 })).toString('base64url')}.`;
  const [head = '', body = ''] = mine.token.split('.');
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const list: [string, () => Promise<Answer>, Attempt['isRefused']][] = [
    ['no token', () => graphql(undefined, { query: READ, variables: { id: '1' } }), isRefused],
    ['a token without a signature', () => graphql(unsigned, { query: READ, variables: { id: '1' } }), isRefused],
    [
      'a token with another signature',
      () => graphql(`${head}.${body}.AAAA`, { query: READ, variables: { id: '1' } }),
      isRefused,
    ],
    [
      'a context token as a session',
      async () => graphql(await context({}), { query: READ, variables: { id: '1' } }),
      isRefused,
    ],
    ['a session as a context token', () => auth(mine.token), isRefused],
    [
      'a session as an API token',
      () => ask('/api/v1/issues/1/checklist', { headers: { authorization: `Bearer ${mine.token}` } }),
      isRefused,
    ],
    ['a context token of another key', async () => auth(await context({ key: `${SECRET}!` })), isRefused],
    ['a context token of the future', async () => auth(await context({ issued: 600 })), isRefused],
    ['a context token for two hours', async () => auth(await context({ hours: 2 })), isRefused],
    ['an expired context token', async () => auth(await context({ issued: -7_200 })), isRefused],
    ['a request token as a context token', async () => auth(await context({ query: 'a'.repeat(64) })), isRefused],
    [
      'an installation without a signature',
      () =>
        ask('/installed', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            key: appKey,
            clientKey: 'stub-client',
            sharedSecret: SECRET,
            baseUrl: stub.url,
            eventType: 'installed',
          }),
        }),
      isRefused,
    ],
    [
      "another tenant's revision",
      () => change(theirs.token, '2', { kind: 'restoreChecklistRevision', epoch, seq: 1 }),
      isError,
    ],
    [
      "another tenant's template: deleted",
      () =>
        graphql(theirs.token, {
          query: 'mutation ($id: ID!) { deleteTemplate(id: $id) { errors { code } } }',
          variables: { id: template },
        }),
      ({ text }) => text.includes('"code":"NOT_FOUND"'),
    ],
    [
      "another tenant's template: applied",
      () => change(theirs.token, '2', { kind: 'applyTemplateToChecklist', templateIds: [template], mode: 'APPEND' }),
      isError,
    ],
    ['a body of 600 KB', () => change(mine.token, '1', other('a'.repeat(600_000))), isRefused],
    [
      'an installation of 100 KB',
      () =>
        ask('/installed', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ key: 'a'.repeat(100_000) }),
        }),
      isRefused,
    ],
    ['JSON 100,000 deep', () => graphql(mine.token, deep(100_000)), isRefused],
    [
      'variables 50,000 deep',
      () => graphql(mine.token, `{"query":${JSON.stringify(CHANGE)},"variables":{"input":${deep(50_000)}}}`),
      isRefused,
    ],
    ['a key named __proto__', () => graphql(mine.token, '{"query":"{ __typename }","__proto__":{"a":1}}'), isRefused],
    ['NUL in a text', () => change(mine.token, '3', other('- a\0b')), isQuiet],
    ['NUL in an id', () => graphql(mine.token, { query: READ, variables: { id: '1\0' } }), isError],
    [
      'NUL in a search',
      () => graphql(mine.token, { query: '{ templates(search: "a\\u0000") { templates { id } } }' }),
      isError,
    ],
    [
      'a document of 200 aliases',
      () =>
        graphql(mine.token, { query: `{ ${Array.from({ length: 200 }, (_, n) => `a${n}: __typename`).join(' ')} }` }),
      isRefused,
    ],
    [
      'a document of 170,000 comments',
      () => graphql(mine.token, { query: `{ __typename }${'#\n'.repeat(170_000)}` }),
      isRefused,
    ],
    ['a list of documents', () => graphql(mine.token, [{ query: '{ __typename }' }]), isRefused],
    [
      'a search like a hostile pattern',
      () => graphql(mine.token, { query: `{ templates(search: "${'(a+)+'.repeat(2_000)}$%_") { templates { id } } }` }),
      isQuiet,
    ],
    ['30,000 opening brackets', () => change(mine.token, '4', other(`- ${'['.repeat(30_000)}`)), isQuiet],
    ['mentions without an end', () => change(mine.token, '5', other(`- ${'[~accountid:'.repeat(2_500)}`)), isQuiet],
    ['marks in marks', () => change(mine.token, '6', other(`- ${'**a_`'.repeat(7_000)}`)), isQuiet],
    [
      '10,000 blanks in each of three rows',
      () => change(mine.token, '7', other(`- ${' '.repeat(10_000)}x\n`.repeat(3))),
      isQuiet,
    ],
    ['paths out of the folder', () => ask('/assets/..%2f..%2fserver%2fmain.js'), isRefused],
    ['a source map', () => ask('/assets/main.js.map'), isRefused],
  ];
  return list.map(([name, make, isRefused]) => ({ name, make, isRefused }));
}

const rows: string[][] = [];
let through = 0;
await withHarness(1, async harness => {
  for (const [number, folder] of folders.entries()) {
    const [server] = await harness.servers({ DATABASE_URL: await harness.database(`attempts_${number}`) }, 1, folder);
    const descriptor = (await (await fetch(new URL('/atlassian-connect.json', server.url))).json()) as { key: string };
    for (const { name, make, isRefused } of await attemptsAt(harness, server, descriptor.key)) {
      const from = performance.now();
      const answer = await make().catch((error: Error) => ({ status: 0, text: error.message }));
      const took = performance.now() - from;
      const isRight = answer.status !== 0 && isRefused(answer) && took < LONG;
      if (!isRight) through += 1;
      rows.push([
        `${folder}: ${name}`,
        String(answer.status),
        `${took.toFixed(0)} ms`,
        isRight ? '' : `THROUGH ${answer.text.slice(0, 100)}`,
      ]);
    }
    const alive = await fetch(new URL('/health/ready', server.url));
    if (!alive.ok) through += 1;
    await server.stop();
  }
});
process.stdout.write(
  `${table(['attempt', 'status', 'time', ''], rows)}\n\n${rows.length} attempts, ${through} got through.\n`,
);
if (through > 0) process.exitCode = 1;
