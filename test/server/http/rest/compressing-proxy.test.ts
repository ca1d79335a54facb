import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { hasNginx, layOut, startNginx } from '../../../deploy/nginx.ts';
import { freePort } from '../../../run/free-port.ts';
import { createToken } from '../../support/api.ts';
import { appOf, startApp } from '../../support/app.ts';
import { newIssue, update } from '../../support/checklists.ts';
import { startCompressingProxy, suffixed, weakened } from '../../support/compressing-proxy.ts';
import { onStore } from '../../support/stores.ts';

type Start = (app: { url: string; port: number }) => Promise<{ url: string; close(): Promise<void> }>;

/** The nginx of `deploy/nginx`, in front of two processes, which are one here. */
async function guidesNginx({ port: process }: { port: number }) {
  const [folder, port] = [await mkdtemp(join(tmpdir(), 'checklist-nginx-')), await freePort()];
  await layOut(folder, { site: 'checklist-behind-proxy', processes: [process, process], port });
  const stop = await startNginx(folder, port);
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const proxies: [name: string, tag: RegExp, start: Start][] = [
  ['a proxy that weakens tags', /^W\/"[^"]+"$/, ({ url }) => startCompressingProxy(url, weakened)],
  ['a proxy that adds the coding to tags', /^"[^"]+-gzip"$/, ({ url }) => startCompressingProxy(url, suffixed)],
  ...(hasNginx ? [['the nginx of the guide', /^W\/"[^"]+"$/, guidesNginx] satisfies (typeof proxies)[number]] : []),
];

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));
  let secret: string;
  let server: { url: string; port: number };
  beforeAll(async () => {
    secret = (await createToken(use().store, it)).secret;
    const url = await it.app.listen({ host: '127.0.0.1', port: 0 });
    server = { url, port: Number(new URL(url).port) };
  });

  test.each(proxies)(
    'behind %s, a change is made on the revision of the tag, or refused',
    async (_, tagShape, start) => {
      const proxy = await start(server);
      try {
        const issue = await newIssue(it);
        await issue.edit(update('- a\n- b'));
        const path = `${proxy.url}/api/v1/issues/${issue.id}/checklist`;
        const send = (url: string, headers: Record<string, string>, body?: object) =>
          fetch(url, {
            headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
            ...(body && { method: 'POST', body: JSON.stringify(body) }),
          });
        const tick = (index: number, text: string) => ({
          change: { kind: 'setItemStatus', target: { index, text }, status: 'done' },
        });
        const read = await send(path, {});
        const tag = String(read.headers.get('etag'));
        expect(tag).toMatch(tagShape);
        expect((await send(path, { 'if-none-match': tag })).status).toBe(304);
        const made = await send(`${path}/changes`, { 'if-match': tag }, tick(0, 'a'));
        expect([made.status, await made.json()]).toMatchObject([200, { text: '+ a\n- b' }]);
        // The tag that a change is answered with is as good.
        const next = String(made.headers.get('etag'));
        expect(next).toMatch(tagShape);
        expect((await send(`${path}/changes`, { 'if-match': tag }, tick(1, 'b'))).status).toBe(412);
        expect((await send(`${path}/changes`, { 'if-match': next }, tick(1, 'b'))).status).toBe(200);
        expect(await issue.text()).toBe('+ a\n+ b');
      } finally {
        await proxy.close();
      }
    },
  );
});
