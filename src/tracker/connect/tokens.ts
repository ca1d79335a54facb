import { jwtVerify, SignJWT } from 'jose';
import { queryHash } from './qsh.ts';

/** Data shared after the handshake. */
export interface Shared {
  addonKey: string;
  clientKey: string;
  sharedSecret: string;
}

/** The query hash of a token that is bound to no request. */
const CONTEXT_QSH = 'context-qsh';
const FRAME_LIFETIME = '3m';
const CONTEXT_LIFETIME = '15m';

const secretOf = ({ sharedSecret }: Shared) => new TextEncoder().encode(sharedSecret);

/** For one request to the add-on: a frame's page or a webhook. */
export const signRequest = (
  shared: Shared,
  {
    method,
    url,
    basePath,
    accountId,
  }: { method: string; url: string; basePath: string; accountId?: string | undefined },
): Promise<string> => sign(shared, { qsh: queryHash(method, url, basePath) }, accountId, FRAME_LIFETIME);

/** The answer of `AP.context.getToken`: user and context, for any request. */
export const signContext = (shared: Shared, accountId: string, context: unknown): Promise<string> =>
  sign(shared, { qsh: CONTEXT_QSH, context }, accountId, CONTEXT_LIFETIME);

async function sign(
  shared: Shared,
  claims: Record<string, unknown>,
  accountId: string | undefined,
  lifetime: string,
): Promise<string> {
  const token = new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(shared.clientKey)
    .setIssuedAt()
    .setExpirationTime(lifetime);
  return (accountId === undefined ? token : token.setSubject(accountId)).sign(secretOf(shared));
}

/** Whether the add-on signed this call: its key as issuer, the shared secret, this request, not expired. */
export async function isCallOf(shared: Shared, token: string, method: string, url: string): Promise<boolean> {
  try {
    const { payload } = await jwtVerify(token, secretOf(shared), {
      algorithms: ['HS256'],
      issuer: shared.addonKey,
      requiredClaims: ['exp'],
      clockTolerance: 30,
    });
    return payload.qsh === queryHash(method, url);
  } catch {
    return false;
  }
}
