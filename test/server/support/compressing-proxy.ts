import { once } from 'node:events';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

/** How a proxy changes the tag of an answer that it compresses. */
export type TagChange = (tag: string) => string;

/** As nginx does (`ngx_http_weak_etag`). */
export const weakened: TagChange = tag => (tag.startsWith('W/') ? tag : `W/${tag}`);
/** As Apache's `mod_deflate` does. */
export const suffixed: TagChange = tag => tag.replace(/"$/, '-gzip"');

/** A reverse proxy that compresses each answer for clients that accept it. */
export async function startCompressingProxy(
  target: string,
  tagOf: TagChange,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { host: _, connection: __, ...headers } = request.headers;
    const body = Buffer.concat(pieces);
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        name === 'content-length' ? [] : [[name, String(value)]],
      ),
      ...(body.length > 0 && { body }),
    });
    const content = Buffer.from(await answer.arrayBuffer());
    const passed = [...answer.headers].filter(([name]) => !/^(?:content-length|connection|keep-alive)$/.test(name));
    const isCompressed = content.length > 20 && /\bgzip\b/.test(String(request.headers['accept-encoding']));
    const tag = answer.headers.get('etag');
    response.writeHead(answer.status, {
      ...Object.fromEntries(passed),
      ...(isCompressed && { 'content-encoding': 'gzip', vary: 'Accept-Encoding' }),
      ...(isCompressed && tag !== null && { etag: tagOf(tag) }),
    });
    response.end(isCompressed ? gzipSync(content) : content);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
