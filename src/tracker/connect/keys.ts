import { randomUUID } from 'node:crypto';
import { exportPKCS8, exportSPKI, generateKeyPair, importPKCS8, SignJWT } from 'jose';
import * as v from 'valibot';
import type { Store } from '../store.ts';
import { queryHash } from './qsh.ts';

/** The key with which the site signs lifecycle calls. Its public half is served for verification. */
export interface InstallKey {
  id: string;
  /** PEM. */
  publicKey: string;
  /** Signs a lifecycle call (`POST` to `url`) to the add-on at `audience`. */
  sign(call: { clientKey: string; audience: string; url: string; basePath: string }): Promise<string>;
}

const shape = v.object({ privateKey: v.string(), publicKey: v.string() });

/** Reads the site's key, or creates one on the first start. */
export async function openInstallKey(store: Store): Promise<InstallKey> {
  const keys = store.collection('install-key', shape);
  const [found] = keys.list();
  const id = found?.id ?? randomUUID();
  const pair = found?.value ?? (await processPair());
  if (!found) await keys.put(id, pair);
  const privateKey = await importPKCS8(pair.privateKey, 'RS256');
  return {
    id,
    publicKey: pair.publicKey,
    sign: ({ clientKey, audience, url, basePath }) =>
      new SignJWT({ qsh: queryHash('POST', url, basePath) })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: id })
        .setIssuer(clientKey)
        .setAudience([audience])
        .setIssuedAt()
        .setExpirationTime('3m')
        .sign(privateKey),
  };
}

let cachedPair: Promise<v.InferOutput<typeof shape>> | undefined;

/** One for all sites of this process, as the vendor has it; making one takes a fifth of a second of processor time. */
function processPair(): Promise<v.InferOutput<typeof shape>> {
  cachedPair ??= freshPair();
  return cachedPair;
}

async function freshPair(): Promise<v.InferOutput<typeof shape>> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  return { privateKey: await exportPKCS8(privateKey), publicKey: await exportSPKI(publicKey) };
}
