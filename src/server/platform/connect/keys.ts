import { type CryptoKey, importSPKI } from 'jose';
import { LRUCache } from 'lru-cache';
import { Unauthorized } from '../../errors/request.ts';

/** Finds the public key that an installation token names. */
export type InstallKeys = (kid: unknown) => Promise<CryptoKey>;

/** Key ids end up in an address: nothing that could lead elsewhere. */
const keyId = /^[\w-]{1,128}$/;
const TIMEOUT = 5_000;
const KEPT = 32;

/** Keys from the vendor's server. A key id never changes its key, so what was fetched is kept. */
export function createInstallKeys(server: string): InstallKeys {
  const known = new LRUCache<string, CryptoKey>({ max: KEPT });

  return async kid => {
    if (typeof kid !== 'string' || !keyId.test(kid)) throw new Unauthorized('key id');
    const kept = known.get(kid);
    if (kept) return kept;
    const response = await fetch(`${server}/${kid}`, { signal: AbortSignal.timeout(TIMEOUT), redirect: 'error' });
    if (response.status === 404) throw new Unauthorized('unknown key');
    if (!response.ok) throw new Error(`The key server answered ${response.status}.`);
    const key = await importSPKI(await response.text(), 'RS256');
    known.set(kid, key);
    return key;
  };
}
