/** A text with the encoding that its bytes are in. */
export interface Decoded {
  text: string;
  encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252';
}

/** Bytes by which an encoding is judged. */
const JUDGED_BYTES = 4000;

/** How large a share of the bytes at odd or even places NULs are, in text of two bytes a character. */
const MIN_NUL_SHARE = 0.7;
const MAX_OTHER_NUL_SHARE = 0.02;

/** The byte order of UTF-16: by its mark, else by the NULs, which are every other byte of Latin text. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const judged = bytes.subarray(0, JUDGED_BYTES);
  const nuls = [0, 0];
  judged.forEach((byte, i) => {
    if (byte === 0) nuls[i % 2] = (nuls[i % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = nuls.map(count => (2 * count) / Math.max(2, judged.length));
  if (odd > MIN_NUL_SHARE && even < MAX_OTHER_NUL_SHARE) return 'utf-16le';
  return even > MIN_NUL_SHARE && odd < MAX_OTHER_NUL_SHARE ? 'utf-16be' : undefined;
}

const isValidUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};

/** Control characters that no text has. */
const CONTROL = /(?![\t\n\r\f])\p{Cc}/u;

/** The signs of Windows-1252 for the bytes from 0x80 on. Node takes these for controls; five bytes have none. */
const SIGNS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

const windowsText = (bytes: Uint8Array): string =>
  new TextDecoder('windows-1252')
    .decode(bytes)
    .replace(/[\u0080-\u009F]/g, sign => SIGNS.charAt(sign.charCodeAt(0) - 0x80) || sign);

/** The text of bytes from an office program: UTF-8, UTF-16 or Windows-1252; undefined for bytes that are no text. */
export function decodeText(bytes: Uint8Array): Decoded | undefined {
  const utf16 = utf16Of(bytes);
  const isUtf8 = !utf16 && isValidUtf8(bytes);
  const text = utf16 || isUtf8 ? new TextDecoder(utf16 ?? 'utf-8').decode(bytes) : windowsText(bytes);
  if (isUtf8) return text.includes('\0') ? undefined : { text, encoding: 'UTF-8' };
  return CONTROL.test(text) ? undefined : { text, encoding: utf16 ? 'UTF-16' : 'Windows-1252' };
}
