import { randomUUID } from 'node:crypto';
import { exportJWK, exportPKCS8, generateKeyPair, importPKCS8, type JWK, type JWTPayload, SignJWT } from 'jose';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
import type { Store } from '../store.ts';

/** The key with which the platform signs its calls to remotes. */
export interface InvocationKey {
  /** For remotes to check signatures by. */
  jwks: { keys: JWK[] };
  /** A Forge invocation token, good for 25 seconds. */
  sign(audience: string, claims: JWTPayload): Promise<string>;
}

const TOKEN_LIFETIME = '25s';
const shape = v.object({ privateKey: v.string(), publicKey: v.record(v.string(), v.string()) });

/** Reads the platform's key, or creates one on the first start. */
export async function openInvocationKey(store: Store): Promise<InvocationKey> {
  const keys = store.collection('forge-key', shape);
  const [found] = keys.list();
  const kid = found?.id ?? `forge/invocation-token/${randomUUID()}`;
  const pair = found?.value ?? (await processPair());
  if (!found) await keys.put(kid, pair);
  const privateKey = await importPKCS8(pair.privateKey, 'RS256');
  return {
    jwks: { keys: [{ ...pair.publicKey, kid, alg: 'RS256', use: 'sig' }] },
    sign: (audience, claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
        .setIssuer('forge/invocation-token')
        .setAudience(audience)
        .setIssuedAt()
        .setNotBefore('0s')
        .setExpirationTime(TOKEN_LIFETIME)
        .setJti(randomUUID())
        .sign(privateKey),
  };
}

let cachedPair: Promise<v.InferOutput<typeof shape>> | undefined;

/** One for all sites of this process, as the platform has it; making one takes a fifth of a second of processor time. */
function processPair(): Promise<v.InferOutput<typeof shape>> {
  cachedPair ??= freshPair();
  return cachedPair;
}

async function freshPair(): Promise<v.InferOutput<typeof shape>> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  return parseAs(shape, { privateKey: await exportPKCS8(privateKey), publicKey: await exportJWK(publicKey) });
}
