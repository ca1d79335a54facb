import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Encrypts secrets: one that is sealed for a tenant opens for that tenant only. */
export interface Vault {
  seal(tenant: string, secret: string): Uint8Array;
  /** Throws when the bytes were sealed for another tenant, with another key, or changed. */
  open(tenant: string, sealed: Uint8Array): string;
  /** Derives a key for each purpose, the same in every process. */
  derive(purpose: string): Uint8Array;
}

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM; sealed bytes are nonce, tag, then the encrypted secret. */
export function createVault(key: Uint8Array): Vault {
  return {
    seal(tenant, secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(tenant));
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(tenant, sealed) {
      const bytes = Buffer.from(sealed);
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(tenant))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString();
    },
    derive: purpose => new Uint8Array(hkdfSync('sha256', key, '', purpose, KEY_BYTES)),
  };
}

/** The key of a server without a configured one: created once, in the data folder. */
export async function keyInFolder(folder: string): Promise<Uint8Array> {
  const file = join(folder, 'encryption.key');
  const draft = `${file}.${randomUUID()}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
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
