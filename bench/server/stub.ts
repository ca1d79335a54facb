import { createHash, generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { importPKCS8, SignJWT } from 'jose';
import { edition } from '../../src/domain/edition.ts';
import { storageKey } from '../../src/domain/storage.ts';

/*
 * A minimal tracker: answers the server's calls after a fixed time, without errors. A program of its own, so that its
 * work is measured separately. Arguments: milliseconds per call. Prints its port.
 */

const latency = Number(process.argv[2] ?? 0);
const PROPERTY = storageKey('checklist');
const FIELD = 'customfield_10100';
const properties = new Map<string, unknown>();
const fields = new Map<string, string>();
let calls: { issue: string; from: number; to: number }[] = [];
const clock = () => Number(process.hrtime.bigint() / 1_000n) / 1_000;

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const piece of request) text += piece;
  return text ? JSON.parse(text) : {};
}

/** The signed installation of this tracker in the server at `baseUrl`. */
async function install(
  url: string,
  baseUrl: string,
  sharedSecret: string,
  clientKey: string,
  key: string,
): Promise<number> {
  const token = await new SignJWT({ qsh: createHash('sha256').update('POST&/installed&').digest('hex') })
    .setProtectedHeader({ alg: 'RS256', kid: 'stub' })
    .setIssuer(clientKey)
    .setAudience(baseUrl)
    .setIssuedAt()
    .setExpirationTime('3m')
    .sign(await importPKCS8(privateKey, 'RS256'));
  const body = { key, clientKey, eventType: 'installed', baseUrl: url, sharedSecret };
  const answer = await fetch(`${baseUrl}/installed`, {
    method: 'POST',
    headers: { authorization: `JWT ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.status;
}

/** The issue of a call: by its path, or the body of a permission check. `undefined` for several issues. */
const issueOf = (path: string, body: Record<string, unknown>): string => {
  const [asked] = (body.projectPermissions ?? []) as { issues?: number[] }[];
  const [only, ...others] = asked?.issues ?? [];
  return /^\/rest\/api\/\d\/issue\/(\d+)/.exec(path)?.[1] ?? String(others.length > 0 ? '' : (only ?? ''));
};

/** An issue as lists name it. */
const named = (id: string) => ({
  id,
  key: `BENCH-${id}`,
  fields: {
    summary: `What is to be done as number ${id}`,
    status: { name: 'Open', statusCategory: { colorName: 'blue-gray' } },
    issuetype: { name: 'Task', iconUrl: '' },
    project: { id: String(10_000 + (Number(id) % 10)), key: 'BENCH', name: `Part ${Number(id) % 10}` },
  },
});

/** The tracker's answer to a call of its REST API. */
function answer(method: string, path: string, issue: string, body: Record<string, unknown>): unknown {
  if (path.endsWith('/permissions/check')) {
    const [asked] = (body.projectPermissions ?? []) as {
      permissions: string[];
      issues?: number[];
      projects?: number[];
    }[];
    const { issues, projects } = asked ?? {};
    const projectPermissions = asked?.permissions.map(permission => ({ permission, issues, projects }));
    return { projectPermissions, globalPermissions: asked ? [] : body.globalPermissions };
  }
  if (path.endsWith('/issue/bulkfetch')) return { issues: (body.issueIdsOrKeys as string[]).map(named) };
  if (path === '/rest/api/2/project/search') return { values: [], isLast: true };
  if (path === '/rest/api/2/field')
    return [{ id: FIELD, key: `${edition.key}__checklist-text`, name: 'Checklist Text' }];
  if (method === 'PUT' && path.includes('/properties/')) properties.set(issue, body);
  else if (method === 'PUT') fields.set(issue, String((body.fields as Record<string, unknown>)[FIELD]));
  else {
    return {
      id: issue,
      key: `BENCH-${issue}`,
      names: { [FIELD]: 'Checklist Text' },
      fields: { [FIELD]: fields.get(issue) ?? null, project: named(issue).fields.project },
      properties: properties.has(issue) ? { [PROPERTY]: properties.get(issue) } : {},
    };
  }
  return {};
}

/** Calls of the benchmark and of the installation. */
async function own(path: string, body: Record<string, unknown>): Promise<unknown> {
  if (path === '/stub/install')
    return {
      status: await install(
        `http://localhost:${port()}`,
        String(body.baseUrl),
        String(body.secret),
        String(body.clientKey),
        String(body.key),
      ),
    };
  if (path === '/install-keys/stub') return publicKey;
  const had = calls;
  calls = [];
  return { calls: had };
}

async function handle(request: IncomingMessage): Promise<string> {
  const from = clock();
  const { pathname: path } = new URL(request.url ?? '/', 'http://stub');
  const { method = 'GET' } = request;
  const body = method === 'GET' ? {} : await bodyOf(request);
  if (!path.startsWith('/rest/')) {
    const value = await own(path, body);
    return typeof value === 'string' ? value : JSON.stringify(value);
  }
  const issue = issueOf(path, body);
  await sleep(latency);
  const text = JSON.stringify(answer(method, path, issue, body));
  calls.push({ issue, from, to: clock() });
  return text;
}

const server = createServer((request, reply) => {
  handle(request).then(
    text => reply.end(text),
    (error: Error) => reply.writeHead(500).end(error.message),
  );
});
const port = () => {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${port()}\n`));
