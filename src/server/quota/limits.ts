import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { anonymous } from '../../domain/user.ts';
import { TooManyRequests, Unauthorized } from '../errors/request.ts';
import { note } from '../errors/request-notes.ts';
import { hashText } from '../text-workers/hash.ts';
import type { RateStatus, Rates, Subject } from './rates.ts';

/**
 * Requests per minute. Colleagues often share one address, so those with a valid token are limited by token and account; a
 * user has a few frames, each with a token of its own. The tracker's own calls have no limit: those of all sites come from few addresses, and a bulk change calls
 * once for each issue.
 */
export const perMinute = {
  /** Of an address, with and without a valid token. */
  address: 12_000,
  /** Of an address, without a valid token: installations, documents of the API. */
  visitor: 1_200,
  /** Of an address, with an invalid token. Expired ones do not count: all pages of an office have them in the morning. */
  invalid: 60,
  /** Of an address, with an invalid API token: a program with a revoked one goes on for days, and shares it with users. */
  program: 60,
  /**
   * Of an address, with a token that is not the tracker's, at its webhooks: more, since the tracker's own calls for sites that
   * have just removed the app come from the addresses of all sites.
   */
  forged: 600,
  token: 600,
  account: 3_000,
  site: 30_000,
  /** Of an API token, and of all API tokens of a site. */
  apiToken: 300,
  apiSite: 1_200,
  /** Of an incoming webhook, and of an address at incoming webhooks that this process does not know. */
  webhook: 120,
} as const;

/** A body counts as one request for each of these bytes, as a large body is as much work as several requests. */
const BYTES_PER_REQUEST = 8_192;

/**
 * How many requests one counts as, by its body: 1 for a usual one; most that could come if its length is not known. What
 * weighs more was long to read, and other requests may run before it is worked on.
 */
export function weightOf({ headers }: FastifyRequest): number {
  const length =
    headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : CHECKLIST_BODY_BYTES;
  return Math.max(1, Math.ceil(length / BYTES_PER_REQUEST));
}

/** Two checklists of the maximum size, with each character escaped. */
export const CHECKLIST_BODY_BYTES = 524_288;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How a request counts before its token is read; by default as one of its address. */
    limit?: 'visitor' | 'none';
  }
}

/** Route configurations. */
export const routeLimits = { asVisitor: { limit: 'visitor' }, exempt: { limit: 'none' } } as const;

/** Who shares an address: of IPv6 a network, since each of its machines has more addresses than can be counted. */
export function addressOf(ip: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(ip)?.[1];
  if (mapped !== undefined || isIP(ip) !== 6) return mapped ?? ip;
  const [head = '', tail = ''] = (ip.split('%')[0] ?? '').split('::');
  const [first, last] = [head, tail].map(part => part.split(':').filter(Boolean));
  const missingGroups = Math.max(0, 8 - (first?.length ?? 0) - (last?.length ?? 0));
  const groups = [...(first ?? []), ...Array<string>(missingGroups).fill('0'), ...(last ?? [])];
  return `${groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::`;
}

/** A subject and its limit. */
type Limit = [subject: Subject, max: number];

/** The limits of invalid tokens. */
type Failure = 'invalid' | 'program' | 'forged';

const ofAddress = (kind: 'address' | 'visitor' | Failure, ip: string): Limit => [
  { tenant: '', key: `${kind} ${addressOf(ip)}` },
  perMinute[kind],
];

/** The limits of requests of this process. */
export interface Limits {
  /** Counts a request of an address. Throws `TooManyRequests`. */
  countAddress(request: FastifyRequest, reply: FastifyReply): void;
  /** Counts a request of a frame's token, its account and site. Throws `TooManyRequests`. */
  countCaller(caller: { tenant: { id: string }; account: string }, request: FastifyRequest, reply: FastifyReply): void;
  /** Counts a request with an API token. Throws `TooManyRequests`. */
  countToken(caller: { tenant: { id: string }; token: string }, request: FastifyRequest, reply: FastifyReply): void;
  /** Counts a call of an incoming webhook; without a known one, of its address. Throws `TooManyRequests`. */
  countWebhook(
    knownWebhook: { tenant: string; webhook: string } | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void;
  /**
   * Runs `verify`, and counts a failure of the address. Beyond the limit it is not run, unless the token or its
   * site `isKnown`, so that it costs no look-up: users and programs behind the same address go on, and what fails is answered
   * as beyond the limit. `as` is the limit. Rejects with `Unauthorized` or `TooManyRequests`.
   */
  authenticate<T>(request: FastifyRequest, verify: () => Promise<T>, isKnown?: () => boolean, as?: Failure): Promise<T>;
}

export function createLimits(rates: Rates): Limits {
  /** Counts a request for each limit, and sets the headers of the one that is reached first. */
  function count(reply: FastifyReply, weight: number, ...limits: readonly Limit[]): void {
    const counted = limits.map(([subject, max]) => rates.count(subject, max, weight));
    const [first] = counted.toSorted((one, other) => one.remaining - other.remaining);
    if (first) setHeaders(reply, first);
    const exceeded = counted.filter(({ isExceeded }) => isExceeded);
    if (exceeded.length > 0) throw new TooManyRequests(Math.max(...exceeded.map(({ reset }) => reset)));
  }

  return {
    countAddress(request, reply) {
      const { limit } = request.routeOptions.config ?? {};
      // Files of pages are cached by browsers and proxies.
      if (limit === 'none' || request.url.startsWith('/assets/')) return;
      if (limit === 'visitor') return count(reply, 1, ofAddress('visitor', request.ip));
      const [subject, max] = ofAddress('address', request.ip);
      const { isExceeded, reset } = rates.count(subject, max);
      if (isExceeded) throw new TooManyRequests(reset);
    },
    countCaller({ tenant: { id }, account }, request, reply) {
      const { ip, headers } = request;
      note(request, { tenant: id });
      // Users without an account have one name.
      const name = account === anonymous.id ? `${account} ${addressOf(ip)}` : account;
      count(
        reply,
        weightOf(request),
        [{ tenant: id, key: `frame ${hashText(headers.authorization ?? '')}` }, perMinute.token],
        [{ tenant: id, key: `account ${name}` }, perMinute.account],
        [{ tenant: id, key: 'site' }, perMinute.site],
      );
    },
    countToken({ tenant: { id }, token }, request, reply) {
      count(
        reply,
        weightOf(request),
        [{ tenant: id, key: `token ${token}` }, perMinute.apiToken],
        [{ tenant: id, key: 'tokens' }, perMinute.apiSite],
      );
    },
    countWebhook(knownWebhook, { ip }, reply) {
      const subject = knownWebhook
        ? { tenant: knownWebhook.tenant, key: `webhook ${knownWebhook.webhook}` }
        : { tenant: '', key: `webhooks ${addressOf(ip)}` };
      count(reply, 1, [subject, perMinute.webhook]);
    },
    async authenticate(request, verify, isKnown = () => false, as = 'invalid') {
      const [subject, max] = ofAddress(as, request.ip);
      const { isExceeded, reset } = rates.look(subject, max);
      if (isExceeded && !isKnown()) throw new TooManyRequests(reset);
      try {
        return await verify();
      } catch (error) {
        if (!(error instanceof Unauthorized) || error.isHarmless) throw error;
        const counted = rates.count(subject, max);
        throw counted.isExceeded ? new TooManyRequests(counted.reset) : error;
      }
    },
  };
}

function setHeaders(reply: FastifyReply, { max, remaining, reset }: RateStatus): void {
  reply.headers({ 'ratelimit-limit': max, 'ratelimit-remaining': remaining, 'ratelimit-reset': reset });
}

/** Counts every request of an address. */
export function registerLimits(app: FastifyInstance, limits: Limits): void {
  app.addHook('onRequest', async (request, reply) => limits.countAddress(request, reply));
}
