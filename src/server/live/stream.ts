import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { LIVE_EDITING, LIVE_ISSUES } from '../../domain/constants.ts';
import { limited } from '../common/limits.ts';
import type { Metrics } from '../common/metrics.ts';
import { readInput } from '../errors/request.ts';
import { type Caller, type Tokens, tokenOf } from '../platform/tokens.ts';
import type { Heard, Hub } from './hub.ts';
import type { Editing, Presence } from './presence.ts';
import { type SubjectAccess, usableSubjects } from './subjects.ts';
import { createViewers } from './viewers.ts';

export interface StreamOptions {
  tokens: Tokens;
  accessOf(caller: Caller): SubjectAccess;
  hub: Hub;
  presence: Presence;
  metrics: Metrics;
  /** No stream of this process shows the issue any more. */
  left(tenant: string, issue: string): Promise<void>;
  onError(error: unknown): void;
}

/** What a stream is about: the issues and templates that a browser shows, those whose text it edits, and somebody's own items. */
const watched = z.object({
  issues: z.array(z.string()).max(LIVE_ISSUES),
  editing: z.array(z.string()).max(LIVE_EDITING).default([]),
  /** Whether the account's own items are shown, on whatever issue. */
  assigned: z.boolean().default(false),
});

/** Milliseconds. A proxy that cuts what is silent waits longer than a ping; after a stream's life rights are asked anew. */
const PING = 20_000;
const LIFE = 600_000;
/** Open streams of one account: one a browser, and some that nobody has noticed the end of. */
const MOST = 20;
/** Bytes that may wait for a reader who does not read; one who is slower hears of everything when he is back. */
const MOST_WAITING = 65_536;

/** Tells of changes as server-sent events: kinds and ids only, each reader then reads under permissions of his own. */
export function liveRoute(app: FastifyInstance, options: StreamOptions): void {
  const { tokens, accessOf, hub, presence, metrics, left, onError } = options;
  const viewers = createViewers((tenant, issue) => void left(tenant, issue).catch(onError));
  const open = new Set<() => void>();
  const counts = new Map<string, number>();

  /** Takes one of the account's places for a stream; gives the function that gives it back, once. */
  function reserve({ tenant, account }: Caller): (() => void) | undefined {
    const key = JSON.stringify([tenant.id, account]);
    const count = counts.get(key) ?? 0;
    if (count >= MOST) return undefined;
    counts.set(key, count + 1);
    let reserved = true;
    return () => {
      if (!reserved) return;
      reserved = false;
      const left = (counts.get(key) ?? 1) - 1;
      if (left) counts.set(key, left);
      else counts.delete(key);
    };
  }

  function start({ tenant, account }: Caller, { issues, editing, assigned }: z.infer<typeof watched>): PassThrough {
    const stream = new PassThrough();
    const editors: Editing = { tenant: tenant.id, account, stream: randomUUID(), subjects: editing };

    const send = (text: string) => {
      if (stream.writableLength > MOST_WAITING) stream.destroy();
      else stream.write(text);
    };
    const hear = (heard: Heard) => {
      if (heard.kind === 'uninstalled') return end();
      // The browser opens it again, with the rights of then.
      if (heard.kind === 'access') return [...issues, ...editing].includes(heard.issue) ? end() : undefined;
      const { to, ...event } = { to: undefined, ...heard };
      if (!('issue' in event) || issues.includes(event.issue)) send(`data: ${JSON.stringify(event)}\n\n`);
      // On which issue is not told: it may be one that the account does not see.
      if (assigned && to?.includes(account)) send('data: {"kind":"assigned"}\n\n');
    };
    const end = () => stream.end();

    const unsubscribe = hub.subscribe(tenant, hear);
    const leave = viewers.enter(tenant.id, issues);
    const ping = setInterval(() => {
      send(': ping\n\n');
      if (editing.length) void presence.prolong(editors).catch(onError);
    }, PING);
    const life = setTimeout(end, LIFE);
    open.add(end);
    metrics.streams.inc();
    stream.once('close', () => {
      unsubscribe();
      leave();
      clearInterval(ping);
      clearTimeout(life);
      open.delete(end);
      metrics.streams.dec();
      if (editing.length) void presence.leave(editors).catch(onError);
    });
    // Whatever happened before this has to be read; whatever happens from now on will be told.
    send('data: {"kind":"open"}\n\n');
    if (editing.length) void presence.enter(editors).catch(onError);
    return stream;
  }

  // Streams would keep a closing server up; browsers come back to another process.
  app.addHook('preClose', async () => {
    for (const end of [...open]) end();
  });
  app.addHook('onClose', async () => viewers.close());

  app.post('/api/live', { config: limited.byToken }, async (request, reply) => {
    const token = tokenOf(request.headers.authorization);
    const caller = await tokens.session(token);
    const { issues, editing, assigned } = readInput(watched, request.body);
    const free = reserve(caller);
    if (!free) return reply.code(429).header('retry-after', 30).send({ error: 'Too many streams are open.' });
    let stream: PassThrough | undefined;
    try {
      const access = accessOf(caller);
      // One after the other: the first asks the tracker for all of them, and the second knows its answer.
      const seen = await usableSubjects(access, [...issues, ...editing], 'see');
      const edited = await usableSubjects(access, editing, 'edit');
      stream = start(caller, {
        issues: issues.filter(subject => seen.has(subject)),
        editing: [...edited],
        assigned,
      }).once('close', free);
      // Now that it hears: an uninstallation before that was told to nobody here.
      await tokens.session(token);
    } catch (error) {
      free();
      stream?.destroy();
      throw error;
    }
    return (
      reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        // It ends with the stream: left open, it would keep up a server that closes.
        .header('connection', 'close')
        .send(stream)
    );
  });
}
