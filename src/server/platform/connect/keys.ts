import { type CryptoKey, importSPKI } from 'jose';
import { readBounded } from '../../common/bounded.ts';
import { createCache } from '../../common/cache.ts';
import { Unauthorized } from '../../errors/request.ts';

/** Finds the public key that an installation token names. */
export type InstallKeys = (kid: unknown) => Promise<CryptoKey>;

/** Key ids become part of a URL: no characters that could change its path. */
const keyId = /^[\w-]{1,128}$/;
const TIMEOUT = 5_000;
const KEPT = 32;
/** Most bytes of a key: those of the vendor have less than a thousand. */
const MOST = 16_384;

/** Fetches keys from the vendor's server and caches them: the key of an id never changes. */
export function createInstallKeys(server: string): InstallKeys {
  const known = createCache<CryptoKey>(KEPT);

  return async kid => {
    if (typeof kid !== 'string' || !keyId.test(kid)) throw new Unauthorized('key id');
    const kept = known.get(kid);
    if (kept) return kept;
    const response = await fetch(`${server}/${kid}`, { signal: AbortSignal.timeout(TIMEOUT), redirect: 'error' });
    if (response.status === 404) throw new Unauthorized('unknown key');
    if (!response.ok) throw new Error(`The key server answered ${response.status}.`);
    const key = await importSPKI(await readBounded(response, MOST), 'RS256');
    known.set(kid, key);
    return key;
  };
}
