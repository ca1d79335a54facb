import type { Piece } from './pieces.ts';

const definitionLine = /^[ ]{0,3}\[([^\]^[\n][^\][\n]*)\]:[ \t\xa0]+(\S.*)$/gm;
const namedLabel = /\[([^\][\n]+)\](?!:)/g;

const keyOf = (label: string) => label.trim().replace(/\s+/g, ' ').toLowerCase();

/** The texts of pieces, each with all definitions that it names: the parser sees one piece at a time. */
export function withDefinitions(text: string, pieces: readonly Piece[]): string[] {
  const definitions = new Map<string, string>();
  if (pieces.length > 1)
    for (const [line, label = ''] of text.matchAll(definitionLine))
      if (!definitions.has(keyOf(label))) definitions.set(keyOf(label), line);
  if (definitions.size === 0) return pieces.map(piece => piece.text);
  const named = pieces.map(
    piece => new Set(Array.from(piece.text.matchAll(namedLabel), ([, label = '']) => keyOf(label))),
  );
  const isNamed = (label: string) => named.some(labels => labels.has(keyOf(label)));
  return pieces.map((piece, i) => {
    const prose = piece.text.replace(definitionLine, (line, label: string) => (isNamed(label) ? '' : line));
    const lines = [...(named[i] ?? [])].flatMap(key => definitions.get(key) ?? []);
    return lines.length > 0 ? `${prose}\n\n${lines.join('\n')}` : prose;
  });
}
