import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './folder.ts';

/** Encrypts secrets: one that is sealed for a tenant opens for that tenant only. Seals with the newest of its keys. */
export interface Vault {
  /** Ids of the keys, the newest first: eight hexadecimal digits that tell keys apart and reveal nothing of them. */
  ids: readonly [string, ...string[]];
  seal(tenant: string, secret: string): Uint8Array;
  /** Throws when the bytes were sealed for another tenant, with an unknown key, or changed. */
  open(tenant: string, sealed: Uint8Array): string;
  /**
   * Re-encrypts a secret with the newest key. Returns `undefined` if it already uses that key. Throws as `open` does.
   */
  reseal(tenant: string, sealed: Uint8Array): Uint8Array | undefined;
  /** Derives a key for each purpose, the same in every process, from each of the keys, the newest first. */
  derive(purpose: string): [Uint8Array, ...Uint8Array[]];
}

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 4;

const deriveFrom = (key: Uint8Array, purpose: string, length = KEY_BYTES) =>
  new Uint8Array(hkdfSync('sha256', key, '', purpose, length));

const idOf = (key: Uint8Array): string => Buffer.from(deriveFrom(key, 'id', ID_BYTES)).toString('hex');

function openWith(key: Uint8Array, tenant: string, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(tenant))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString();
}

/**
 * AES-256-GCM; sealed bytes are nonce, tag, then the encrypted secret. They do not name their key: the tag tells which
 * one fits, and versions that knew one key only read them as well.
 */
export function createVault(key: Uint8Array, old: readonly Uint8Array[] = []): Vault {
  const keys = [key, ...old] as const;
  const seal: Vault['seal'] = (tenant, secret) => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(tenant));
    const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  };
  /** Opens with the first key that fits. */
  function opened(tenant: string, sealed: Uint8Array): { secret: string; place: number } {
    let refused: unknown;
    for (const [place, each] of keys.entries()) {
      try {
        return { secret: openWith(each, tenant, sealed), place };
      } catch (error) {
        refused ??= error;
      }
    }
    throw refused;
  }
  return {
    ids: [idOf(key), ...old.map(idOf)],
    seal,
    open: (tenant, sealed) => opened(tenant, sealed).secret,
    reseal(tenant, sealed) {
      const { secret, place } = opened(tenant, sealed);
      return place === 0 ? undefined : seal(tenant, secret);
    },
    derive: purpose => [deriveFrom(key, purpose), ...old.map(each => deriveFrom(each, purpose))],
  };
}

/** The key of a server without a configured one: created once, in the data folder. */
export async function keyInFolder(folder: string): Promise<Uint8Array> {
  const file = join(folder, 'encryption.key');
  const draft = `${file}.${randomUUID()}`;
  await makeFolder(folder);
  await writeFile(draft, randomBytes(KEY_BYTES).toString('base64'), { mode: 0o600 });
  try {
    // Atomic, and only once.
    await link(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(draft);
  }
  const key = Buffer.from(await readFile(file, 'utf8'), 'base64');
  if (key.length !== KEY_BYTES) throw new Error(`${file} does not hold a key of ${KEY_BYTES} bytes.`);
  return key;
}
