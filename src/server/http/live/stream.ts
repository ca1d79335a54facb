import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { MAX_LIVE_EDITING, MAX_LIVE_SUBJECTS } from '../../../domain/constants.ts';
import { readInput, TooManyRequests } from '../../errors/request.ts';
import type { Metrics } from '../../monitoring/metrics.ts';
import type { Authentication } from '../../platform/authentication.ts';
import { type Caller, type Tokens, tokenOf } from '../../platform/tokens.ts';
import type { Hub, HubEvent } from './hub.ts';
import type { Presence, StreamEditors } from './presence.ts';
import { type SubjectAccess, usableSubjects } from './subjects.ts';
import { createViewers } from './viewers.ts';

export interface StreamOptions {
  tokens: Tokens;
  authentication: Authentication;
  accessOf(caller: Caller): SubjectAccess;
  hub: Hub;
  presence: Presence;
  metrics: Metrics;
  /** Called when no stream of this process shows the issue any more. */
  left(tenant: string, issue: string): Promise<void>;
  /** Called with the time zone of the caller's browser. */
  seenZone(caller: Caller, zone: string): Promise<void>;
  onError(error: unknown): void;
}

/** The subjects of a stream: the issues and templates that a browser shows, and the subjects whose text it edits. */
const watched = v.object({
  issues: v.pipe(v.array(v.string()), v.maxLength(MAX_LIVE_SUBJECTS)),
  editing: v.optional(v.pipe(v.array(v.string()), v.maxLength(MAX_LIVE_EDITING)), []),
  /** Whether the account's assigned items are shown, of all issues. */
  assigned: v.optional(v.boolean(), false),
  /** The browser's time zone. */
  zone: v.optional(v.string()),
});

/** Shorter than the idle timeout of proxies. */
const PING_INTERVAL_MS = 20_000;
/** A stream ends after this time, so that the next stream checks permissions again. */
const STREAM_LIFETIME_MS = 600_000;
/** An account has one stream per browser, and some streams whose end was not noticed yet. */
const MAX_STREAMS = 20;
/** An account with too many streams may try again after this time. */
const FULL_RETRY_SECONDS = 30;
/** A stream with more unsent bytes is cut off. Its browser reconnects and reads everything again. */
const MAX_UNSENT_BYTES = 65_536;

/** Sends changes as server-sent events: kinds and ids only; browsers read the content under their own permissions. */
export function liveRoute(app: FastifyInstance, options: StreamOptions): void {
  const { tokens, authentication, accessOf, hub, presence, metrics, left, seenZone, onError } = options;
  const viewers = createViewers((tenant, issue) => void left(tenant, issue).catch(onError));
  const open = new Set<() => void>();
  const counts = new Map<string, number>();

  /** Counts a stream of the account; returns the function that releases it. Throws `TooManyRequests` at the limit. */
  function reserve({ tenant, account }: Caller): () => void {
    const key = JSON.stringify([tenant.id, account]);
    const count = counts.get(key) ?? 0;
    if (count >= MAX_STREAMS) throw new TooManyRequests(FULL_RETRY_SECONDS);
    counts.set(key, count + 1);
    let reserved = true;
    return () => {
      if (!reserved) return;
      reserved = false;
      const remainingStreams = (counts.get(key) ?? 1) - 1;
      if (remainingStreams) counts.set(key, remainingStreams);
      else counts.delete(key);
    };
  }

  function start(
    { tenant, account }: Caller,
    { issues, editing, assigned }: Omit<v.InferOutput<typeof watched>, 'zone'>,
  ): PassThrough {
    const stream = new PassThrough();
    const editors: StreamEditors = { tenant: tenant.id, account, stream: randomUUID(), subjects: editing };

    const send = (text: string) => {
      if (stream.writableLength > MAX_UNSENT_BYTES) stream.destroy();
      else stream.write(text);
    };
    const notify = (event: HubEvent) => {
      if (event.kind === 'uninstalled') return end();
      if (event.kind === 'workflowRules') return;
      // The browser opens the stream again, with the permissions of then.
      if (event.kind === 'access') return [...issues, ...editing].includes(event.issue) ? end() : undefined;
      const { to, ...sent } = { to: undefined, ...event };
      if (!('issue' in sent) || issues.includes(sent.issue)) send(`data: ${JSON.stringify(sent)}\n\n`);
      // Without the issue: the account may lack the permission to view it.
      if (assigned && to?.includes(account)) send('data: {"kind":"assigned"}\n\n');
    };
    const end = () => stream.end();

    const unsubscribe = hub.subscribe(tenant, notify);
    const leave = viewers.enter(tenant.id, issues);
    const ping = setInterval(() => {
      send(': ping\n\n');
      if (editing.length) void presence.prolong(editors).catch(onError);
    }, PING_INTERVAL_MS);
    const life = setTimeout(end, STREAM_LIFETIME_MS);
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
    // Changes before this have to be read; later ones are published.
    send('data: {"kind":"open"}\n\n');
    if (editing.length) void presence.enter(editors).catch(onError);
    return stream;
  }

  // Open streams would keep the server from closing; browsers reconnect to another process.
  app.addHook('preClose', async () => {
    for (const end of [...open]) end();
  });
  app.addHook('onClose', async () => viewers.close());

  app.post('/api/live', async (request, reply) => {
    const token = tokenOf(request.headers.authorization);
    const caller = await authentication.session(request, reply);
    const { issues, editing, assigned, zone } = readInput(watched, request.body);
    if (zone !== undefined) void seenZone(caller, zone).catch(onError);
    const release = reserve(caller);
    let stream: PassThrough | undefined;
    try {
      const access = accessOf(caller);
      // In sequence: the first call loads the permissions of all subjects, the second uses its cached answer.
      const visibleSubjects = await usableSubjects(access, [...issues, ...editing], 'see');
      const editableSubjects = await usableSubjects(access, editing, 'edit');
      stream = start(caller, {
        issues: issues.filter(subject => visibleSubjects.has(subject)),
        editing: [...editableSubjects],
        assigned,
      }).once('close', release);
      // Checked after subscribing: an earlier uninstallation was not published to this stream.
      await tokens.session(token);
    } catch (error) {
      release();
      stream?.destroy();
      throw error;
    }
    return (
      reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        // A connection kept alive would keep the server from closing.
        .header('connection', 'close')
        .send(stream)
    );
  });
}
