import { randomUUID } from 'node:crypto';
import { send } from '../../src/server/platform/tracker/send.ts';
import { type ApiSession, patiently, signIn } from './users.ts';

const ROWS = 1_000;
const CHANGE = `mutation ($input: ChangeChecklistInput!) {
  changeChecklist(input: $input) { checklist { epoch seq hash } errors { code } }
}`;
const READ = 'query ($id: ID!) { checklist(issueId: $id) { epoch seq hash } }';
const TOUCHES = 'checklistTouches(issueId: "90001") { __typename }';
const IMPORT = `mutation ($input: ImportTemplatesInput!) {
  importTemplates(input: $input) { templates { id } errors { code } }
}`;

const CREATE_TOKEN = `mutation ($input: CreateApiTokenInput!) {
  createApiToken(input: $input) { secret errors { code } }
}`;

const rows = (word: string) => Array.from({ length: ROWS }, (_, index) => `- ${word} ${index}`);
const base = { epoch: '', seq: 0, hash: '-', text: '' };

interface Changed {
  changeChecklist: { checklist: { epoch: string; seq: number; hash: string } | null };
}

/** Fills an issue with a thousand rows; returns its position. */
async function filled(session: ApiSession, issueId: string) {
  const { checklist } = await session.graphql<{ checklist: object }>(READ, { id: issueId });
  const { epoch, seq, hash } = { ...base, ...checklist };
  const change = { kind: 'updateChecklistFromText', text: rows('item').join('\n') };
  const input = { issueId, clientId: randomUUID(), base: { epoch, seq, hash }, change };
  const made = await session.graphql<Changed>(CHANGE, { input });
  return made.changeChecklist.checklist ?? base;
}

const edits = (values: (index: number) => object) =>
  Array.from({ length: ROWS }, (_, index) => ({
    kind: 'updateChecklistItem',
    target: { index, text: `item ${index}` },
    values: values(index),
  }));

/** What an account does at its worst, by name; each runs one request of it. A new account has all of its limits left. */
export async function offencesAt(
  server: { url: string },
  account: string,
): Promise<Record<string, () => Promise<unknown>>> {
  const session = await patiently(() => signIn(server, account));
  const issues = ['90001', '90002', '90003', '90004', '90005', '90006', '90007', '90008'];
  const starts = new Map<string, object>();
  for (const issue of issues) starts.set(issue, await patiently(() => filled(session, issue)));
  let number = 0;
  const post = (headers: Record<string, string>, body: string, path = '/graphql') =>
    send(new URL(path, server.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      time: 60_000,
    }).then(answer => answer.text());
  const change = (change: object, issueId = '90001') => {
    const input = { issueId, clientId: randomUUID(), base: starts.get(issueId), change };
    return session.graphql(CHANGE, { input }).catch(() => undefined);
  };
  const oneValue = () => ({ kind: 'changeChecklistItems', edits: edits(index => ({ text: `n${number++} ${index}` })) });
  const rewritten = () => ({ kind: 'updateChecklistFromText', text: rows(`other ${number++}`).join('\n') });
  const ask = (query: string) => post({ authorization: `JWT ${session.token}` }, JSON.stringify({ query }));
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const importing = (count: number) => async () => {
    const templates = Array.from({ length: count }, () => ({ name: 'Equal', text: '- a' }));
    const file = JSON.stringify({ format: 'smart-checklist-templates', version: 1, templates });
    const made = await session
      .graphql<{ importTemplates: { templates: { id: string }[] | null } }>(IMPORT, { input: { file } })
      .catch(() => undefined);
    return made?.importTemplates.templates;
  };
  let secret: Promise<string> | undefined;
  const newToken = async () => {
    const input = { name: randomUUID(), scope: 'WRITE', projectIds: [] };
    const made = await session.graphql<{ createApiToken: { secret: string } }>(CREATE_TOKEN, { input });
    return made.createApiToken.secret;
  };
  const dryRun = async () => {
    secret ??= newToken();
    const body = JSON.stringify({ change: rewritten(), dryRun: true });
    const headers = { authorization: `Bearer ${await secret}`, 'if-match': '*' };
    return post(headers, body, '/api/v1/issues/90001/checklist/changes');
  };
  return {
    'changes of 1,000 rows, one value each': () => change(oneValue()),
    'the same of eight checklists': () => change(oneValue(), issues[number % issues.length]),
    'changes of 1,000 rows, four values each': () =>
      change({
        kind: 'changeChecklistItems',
        edits: edits(index => ({ text: `n${index}`, mandatory: true, assignee: 'a:1', dueDate: '2026-12-01' })),
      }),
    'rewrites of 1,000 rows, of an old base': () => change(rewritten()),
    'rewrites of eight checklists': () => change(rewritten(), issues[number % issues.length]),
    'dry runs of rewrites, by an API token': dryRun,
    'the last changes of 1,000 rows': () => ask(`{ ${TOUCHES} }`),
    'documents of five aliased histories': () => ask(`{ ${[1, 2, 3, 4, 5].map(n => `a${n}: ${TOUCHES}`).join(' ')} }`),
    'imports of 200 equal templates': importing(200),
    'imports of 500 equal templates': importing(500),
    'webhooks of unknown sites': () => {
      const token = `${encoded({ alg: 'HS256' })}.${encoded({ iss: `u${number++}` })}.x`;
      return post({ authorization: `JWT ${token}` }, '{}', '/webhooks/issue-updated?issueId=1');
    },
    // The last one: its address is refused other tokens for a minute.
    'wrong tokens': () => post({ authorization: `JWT wrong.${number++}.token` }, '{}'),
  };
}
