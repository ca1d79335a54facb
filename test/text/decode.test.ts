import { expect, test } from 'vitest';
import { decodeText } from '../../src/text/decode.ts';

const bytes = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding));

test.each([
  ['UTF-8', bytes('- Größe 日本', 'utf8'), '- Größe 日本'],
  ['UTF-8', bytes('', 'utf8'), ''],
  ['UTF-8', bytes('\uFEFFa', 'utf8'), 'a'],
  ['UTF-16', bytes('\uFEFF- Größe 日本', 'utf16le'), '- Größe 日本'],
  ['UTF-16', bytes('- Größe', 'utf16le'), '- Größe'],
  ['UTF-16', new Uint8Array(Buffer.from('- Größe', 'utf16le').swap16()), '- Größe'],
  ['Windows-1252', new Uint8Array([0x47, 0x72, 0xf6, 0xdf, 0x65, 0x20, 0x80]), 'Größe €'],
])('bytes in %s', (encoding, input, text) => {
  expect(decodeText(input)).toEqual({ text, encoding });
});

test.each([
  ['an image', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]],
  ['an archive', [0x50, 0x4b, 3, 4, 0x14, 0, 8, 0, 0xff, 0xfe]],
  ['NUL among letters', [0x61, 0, 0x62, 0x63, 0x64, 0x65]],
])('%s is no text', (_, input) => {
  expect(decodeText(new Uint8Array(input))).toBeUndefined();
});
