/** An expression that this tracker does not evaluate: it is wrong, too long, or outside of the documented subset. */
export class ExpressionRefused extends Error {
  override readonly name = 'ExpressionRefused';
}

export type Token =
  | { type: 'text' | 'name' | 'sign'; text: string }
  | { type: 'number'; value: number }
  | { type: 'end' };

/** Limits of the site (Jira expressions, "Restrictions"). */
const MAX_CHARACTERS = 1000;
const MAX_LEAVES = 100;

const patterns = {
  blank: /\s+/y,
  number: /\d+(?:\.\d+)?/y,
  name: /[A-Za-z_$][\w$]*/y,
  text: /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y,
  sign: /=>|\?\.|\?\?|&&|\|\||==|!=|<=|>=|[-+*/%<>!?:;,.=()[\]{}]/y,
};

const keywords = new Set(['let', 'new', 'typeof']);
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

const unquoted = (source: string): string =>
  source.slice(1, -1).replace(/\\(.)/g, (_, character: string) => escapes[character] ?? character);

/** Splits an expression into tokens. Throws `ExpressionRefused`. */
export function tokensOf(source: string): Token[] {
  if (source.length > MAX_CHARACTERS) {
    throw new ExpressionRefused(`Jira expression is too long (${source.length}), limit: ${MAX_CHARACTERS} characters`);
  }
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const matchedText = pattern.exec(source)?.[0];
    at += matchedText?.length ?? 0;
    return matchedText;
  };
  while (match(patterns.blank) !== undefined || at < source.length) {
    if (at === source.length) break;
    const text = match(patterns.text);
    const number = text === undefined ? match(patterns.number) : undefined;
    const name = text === undefined && number === undefined ? match(patterns.name) : undefined;
    if (text !== undefined) tokens.push({ type: 'text', text: unquoted(text) });
    else if (number !== undefined) tokens.push({ type: 'number', value: Number(number) });
    else if (name !== undefined) tokens.push({ type: 'name', text: name });
    else {
      const sign = match(patterns.sign);
      if (sign === undefined) throw new ExpressionRefused(`Unexpected character at ${at}`);
      tokens.push({ type: 'sign', text: sign });
    }
  }
  const leaves = tokens.filter(token => token.type !== 'sign' && !(token.type === 'name' && keywords.has(token.text)));
  if (leaves.length > MAX_LEAVES) {
    throw new ExpressionRefused(`Jira expression has too many nodes (${leaves.length}), limit: ${MAX_LEAVES} leaves`);
  }
  return [...tokens, { type: 'end' }];
}
