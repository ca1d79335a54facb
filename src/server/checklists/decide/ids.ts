import { type Cipher, createCipheriv } from 'node:crypto';

/** Ids that follow from a seed: computations with the same seed make the same ids. */
export interface Ids {
  /** A persistent id of a row: eight characters of base64url. */
  row(): string;
  /** A random UUID. */
  uuid(): string;
}

const ROW_ID_BYTES = 6;
const UUID_BYTES = 16;
/** The bytes are computed in blocks, as each call of the cipher costs as much as reading a row. */
const BLOCK_BYTES = 1_536;

/** `seed` is 16 random bytes as hexadecimal digits. */
export function createIds(seed: string): Ids {
  let cipher: Cipher | undefined;
  let [block, used] = [Buffer.alloc(0), 0];

  function draw(bytes: number): Buffer {
    if (used + bytes > block.length) {
      cipher ??= createCipheriv('aes-128-ctr', Buffer.from(seed, 'hex'), Buffer.alloc(16));
      [block, used] = [cipher.update(Buffer.alloc(BLOCK_BYTES)), 0];
    }
    used += bytes;
    return block.subarray(used - bytes, used);
  }

  return {
    row: () => draw(ROW_ID_BYTES).toString('base64url'),
    uuid() {
      const bytes = Buffer.from(draw(UUID_BYTES));
      bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
  };
}
