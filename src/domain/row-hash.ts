/**
 * Short hash of a row's text, 8 hexadecimal digits (FNV-1a over UTF-16 units): distinguishes neighbouring rows in
 * nearly equal texts without revealing the text.
 */
export function rowHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
