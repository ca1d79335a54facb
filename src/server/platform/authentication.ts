import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Limits } from '../quota/limits.ts';
import { type Caller, type Tokens, tokenOf } from './tokens.ts';

/** Verifies the token of a request, and counts it for account and site. Rejects with `Unauthorized` or `TooManyRequests`. */
export interface Authentication {
  session(request: FastifyRequest, reply: FastifyReply): Promise<Caller>;
  context(request: FastifyRequest, reply: FastifyReply): Promise<Caller>;
}

export function createAuthentication(tokens: Tokens, limits: Limits): Authentication {
  async function counted(request: FastifyRequest, reply: FastifyReply, verified: Promise<Caller>): Promise<Caller> {
    const caller = await verified;
    limits.countCaller(caller, request, reply);
    return caller;
  }

  return {
    session(request, reply) {
      const token = tokenOf(request.headers.authorization);
      const isKnown = () => tokens.isOfKnownSite(token, 'aud');
      return counted(
        request,
        reply,
        limits.authenticate(request, () => tokens.session(token), isKnown),
      );
    },
    context(request, reply) {
      const token = tokenOf(request.headers.authorization);
      const isKnown = () => tokens.isOfKnownSite(token);
      return counted(
        request,
        reply,
        limits.authenticate(request, () => tokens.context(token), isKnown),
      );
    },
  };
}
