import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVault, keyInFolder } from '../../../src/server/store/vault.ts';

const vault = createVault(new Uint8Array(32).fill(1));

test('decrypts its own values, for the same tenant only', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (secret, tenant, other) => {
      const sealed = vault.seal(tenant, secret);
      expect(vault.open(tenant, sealed)).toBe(secret);
      if (other !== tenant) expect(() => vault.open(other, sealed)).toThrow();
    }),
  );
});

test('refuses changed bytes and another key', () => {
  const sealed = vault.seal('t', 'secret');
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Uint8Array.from(sealed, (byte, at) => (at === index ? byte ^ 1 : byte));
    expect(() => vault.open('t', changed)).toThrow();
  }
  expect(() => createVault(new Uint8Array(32).fill(2)).open('t', sealed)).toThrow();
});

test('derives one key per purpose', () => {
  expect(vault.derive('a')).toEqual(vault.derive('a'));
  expect(vault.derive('a')).not.toEqual(vault.derive('b'));
});

test('a new key opens and rewrites what an old one sealed, and the old one alone opens nothing new', () => {
  const [before, after] = [1, 2].map(byte => new Uint8Array(32).fill(byte));
  const old = createVault(before ?? new Uint8Array());
  const rotated = createVault(after ?? new Uint8Array(), [before ?? new Uint8Array()]);
  expect(new Set(rotated.ids).size).toBe(2);
  expect(rotated.ids[1]).toBe(old.ids[0]);
  const sealed = old.seal('t', 'secret');
  expect(rotated.open('t', sealed)).toBe('secret');
  const again = rotated.reseal('t', sealed);
  expect(again && rotated.open('t', again)).toBe('secret');
  expect(rotated.reseal('t', again ?? sealed)).toBeUndefined();
  expect(() => old.open('t', again ?? sealed)).toThrow();
  expect(() => rotated.reseal('other', sealed)).toThrow();
  expect(rotated.derive('session')[1]).toEqual(old.derive('session')[0]);
});

test('creates a key file once, readable by its owner only', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'checklist-key-'));
  try {
    const [first, second] = await Promise.all([keyInFolder(folder), keyInFolder(folder)]);
    expect(first).toHaveLength(32);
    expect(second).toEqual(first);
    expect((await stat(join(folder, 'encryption.key'))).mode & 0o777).toBe(0o600);
    await writeFile(join(folder, 'encryption.key'), 'short');
    await expect(keyInFolder(folder)).rejects.toThrow('does not hold a key');
  } finally {
    await rm(folder, { recursive: true });
  }
});
