import { type CryptoKey, importSPKI } from 'jose';
import { Unauthorized } from '../../errors/request.ts';
import { cached } from '../../store/cached.ts';
import { readBounded } from '../bounded.ts';

/** Finds the public key that an installation token names. */
export type InstallKeys = (kid: unknown) => Promise<CryptoKey>;

/** Key ids become part of a URL: no characters that could change its path. */
const keyId = /^[\w-]{1,128}$/;
const KEY_FETCH_TIMEOUT_MS = 5_000;
const MAX_KEYS = 32;
/** The vendor's keys have less than a thousand bytes. */
const MAX_KEY_BYTES = 16_384;

/** Fetches keys from the vendor's server and caches them: the key of an id never changes. */
export function createInstallKeys(server: string): InstallKeys {
  const keys = cached<CryptoKey>({ max: MAX_KEYS, ttl: () => Number.POSITIVE_INFINITY });

  async function load(kid: string): Promise<CryptoKey> {
    const response = await fetch(`${server}/${kid}`, {
      signal: AbortSignal.timeout(KEY_FETCH_TIMEOUT_MS),
      redirect: 'error',
    });
    if (response.status === 404) throw new Unauthorized('unknown key');
    if (!response.ok) throw new Error(`The key server answered ${response.status}.`);
    return importSPKI(await readBounded(response, MAX_KEY_BYTES), 'RS256');
  }

  return async kid => {
    if (typeof kid !== 'string' || !keyId.test(kid)) throw new Unauthorized('key id');
    return keys.get(kid, () => load(kid));
  };
}
