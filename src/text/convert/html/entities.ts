/** The entities that clipboards and mails really hold; others stay as they are written. */
const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  shy: '',
  zwsp: '',
  zwnj: '\u200C',
  zwj: '\u200D',
};
const signs =
  'iexcl¡ cent¢ pound£ yen¥ sect§ copy© laquo« not¬ reg® deg° plusmn± sup2² sup3³ micro\u00B5 para¶ middot· frac14¼ frac12½ ' +
  'frac34¾ raquo» iquest¿ times× divide÷ hyphen‐ ndash– mdash— lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” bdquo„ dagger† Dagger‡ ' +
  'bull• hellip… permil‰ prime′ Prime″ lsaquo‹ rsaquo› euro€ trade™ larr← uarr↑ rarr→ darr↓ harr↔ minus− infin∞ asymp≈ ' +
  'ne≠ le≤ ge≥ check✓ cross✗ Agrave\u00C0 Aacute\u00C1 Auml\u00C4 Aring\u00C5 AElig\u00C6 Ccedil\u00C7 Eacute\u00C9 ' +
  'Ntilde\u00D1 Ouml\u00D6 Oslash\u00D8 Uuml\u00DC szlig\u00DF agrave\u00E0 aacute\u00E1 acirc\u00E2 auml\u00E4 aring\u00E5 ' +
  'aelig\u00E6 ccedil\u00E7 egrave\u00E8 eacute\u00E9 ecirc\u00EA euml\u00EB iacute\u00ED icirc\u00EE iuml\u00EF ntilde\u00F1 ' +
  'oacute\u00F3 ocirc\u00F4 ouml\u00F6 oslash\u00F8 uacute\u00FA ucirc\u00FB uuml\u00FC';
for (const sign of signs.split(' ')) named[sign.slice(0, -1)] = sign.slice(-1);

/** What 128 to 159 mean to every browser: Windows-1252. */
const windows = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

function numeric(code: number): string {
  if (code >= 128 && code < 160) return windows[code - 128] ?? '';
  const valid = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return valid ? String.fromCodePoint(code) : '\uFFFD';
}

/** A text with its entities as characters. Control characters and halves of pairs become U+FFFD, as in a browser. */
export function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,8})|#[xX]([0-9a-fA-F]{1,8})|([A-Za-z][A-Za-z0-9]{1,30})(?=;));?/g,
    (found, decimal: string | undefined, hexadecimal: string | undefined, name: string | undefined) => {
      if (decimal !== undefined) return numeric(Number.parseInt(decimal, 10));
      if (hexadecimal !== undefined) return numeric(Number.parseInt(hexadecimal, 16));
      return (name !== undefined && Object.hasOwn(named, name) ? named[name] : undefined) ?? found;
    },
  );
}
