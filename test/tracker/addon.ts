import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';

/** A small add-on server on loopback: serves a descriptor, records its calls, and answers as a test says. */
export interface FakeAddon {
  url: string;
  calls: Call[];
  /** May be changed between two reads by the tracker. */
  descriptor: Record<string, unknown>;
  /** Status for a call, with a body where there is one; 200 by default. */
  answer: (call: Call) => number | Reply | Promise<Reply>;
  /** Resolves with the next calls to this path, oldest first. */
  next(path: string, count?: number): Promise<Call[]>;
  close(): Promise<void>;
}

export interface Call {
  method: string;
  /** Path and query. */
  url: string;
  authorization: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

export const ADDON_KEY = 'app.example.checklist';

/** The product's own descriptor, filled as by its server, but with bodies in webhooks. */
export function descriptorFor(baseUrl: string, addonKey = ADDON_KEY): Record<string, unknown> {
  const values: Record<string, string> = {
    addonKey,
    name: 'Example Checklist',
    label: 'Checklist',
    logo: 'logo.svg',
    version: '1.0.0',
    baseUrl,
  };
  const template = readFileSync(join(import.meta.dirname, '../../atlassian-connect.json'), 'utf8');
  const filled = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
  return JSON.parse(filled.replaceAll('"excludeBody": true', '"excludeBody": false'));
}

export async function startFakeAddon(addonKey = ADDON_KEY): Promise<FakeAddon> {
  let waiting: (() => void)[] = [];
  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', async () => {
      const { method = '', url = '', headers } = request;
      if (url === '/atlassian-connect.json') {
        response.end(JSON.stringify(addon.descriptor));
        return;
      }
      const body = Buffer.concat(chunks).toString();
      const call = { method, url, headers, authorization: headers.authorization ?? '', body };
      const answer = await addon.answer(call);
      const reply: Reply = typeof answer === 'number' ? { status: answer } : answer;
      response.writeHead(reply.status, reply.headers);
      response.end(reply.body);
      addon.calls.push(call);
      for (const look of waiting) look();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  const url = `http://127.0.0.1:${address.port}`;
  const addon: FakeAddon = {
    url,
    calls: [],
    descriptor: descriptorFor(url, addonKey),
    answer: () => 200,
    next: (path, count = 1) =>
      new Promise(resolve => {
        const look = () => {
          const found = addon.calls.filter(call => call.url.startsWith(path));
          if (found.length < count) return;
          addon.calls = addon.calls.filter(call => !found.includes(call));
          waiting = waiting.filter(other => other !== look);
          resolve(found);
        };
        waiting.push(look);
        look();
      }),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return addon;
}
