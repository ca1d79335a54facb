import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { afterAll, beforeAll, expect } from 'vitest';
import { startApp, type TestApp } from './app.ts';
import { EDITOR } from './checklists.ts';
import { later, onBothStores, type TestStore } from './stores.ts';

const event = v.looseObject({ kind: v.string() });

interface Stream {
  events: v.InferOutput<typeof event>[];
  stop(): void;
  ended: Promise<void>;
}

/** What tests of live events get: their database, an app on it, and streams, to be used in tests and hooks. */
export interface LiveParts {
  use: () => TestStore;
  it: TestApp;
  /** Address of the listening app. */
  address(): string;
  /** Requests a stream. */
  post(body: unknown, account: string): Promise<{ answer: Response; stop(): void }>;
  /** Opens a stream as a browser does, and records its events. */
  listen(account: string, issues: string[], editing?: string[], assigned?: boolean): Promise<Stream>;
  /** A new account with these permissions. */
  accountWith(granted?: string[]): string;
}

/** Runs tests on both databases, with an app that listens. Streams end after the last test. */
export function onLive(tests: (parts: LiveParts) => void): void {
  onBothStores(use => {
    let app: TestApp | undefined;
    let address: string;
    const readers: AbortController[] = [];
    const it = later(() => app);

    beforeAll(async () => {
      app = await startApp(use().store);
      address = await it.app.listen({ port: 0, host: '127.0.0.1' });
    });
    afterAll(async () => {
      for (const reader of readers) reader.abort();
      await it.app.close();
    });

    const post: LiveParts['post'] = async (body, account) => {
      const reader = new AbortController();
      readers.push(reader);
      const answer = await fetch(`${address}/api/live`, {
        method: 'POST',
        headers: { authorization: `JWT ${await it.session(account)}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: reader.signal,
      });
      return { answer, stop: () => reader.abort() };
    };

    const listen: LiveParts['listen'] = async (account, issues, editing = [], assigned = false) => {
      const { answer, stop } = await post({ issues, editing, assigned }, account);
      expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      const events: v.InferOutput<typeof event>[] = [];
      const ended = (async () => {
        let text = '';
        for await (const bytes of answer.body ?? []) {
          text += new TextDecoder().decode(bytes);
          const parts = text.split('\n\n');
          text = parts.pop() ?? '';
          for (const part of parts) {
            if (part.startsWith('data: ')) events.push(v.parse(event, JSON.parse(part.slice('data: '.length))));
          }
        }
      })().catch(() => undefined);
      await expect.poll(() => events[0]).toEqual({ kind: 'open' });
      return { events, stop, ended };
    };

    const accountWith: LiveParts['accountWith'] = (granted = EDITOR) => {
      const account = randomUUID();
      it.tracker.granted.set(account, granted);
      return account;
    };

    tests({ use, it, address: () => address, post, listen, accountWith });
  });
}
