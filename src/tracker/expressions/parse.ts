import { ExpressionRefused, type Token, tokensOf } from './lex.ts';

/** A node of an expression. */
export type Node =
  | { kind: 'value'; value: string | number | boolean | null }
  | { kind: 'variable'; name: string }
  | { kind: 'list'; items: Node[] }
  | { kind: 'member'; of: Node; key: Node; optional: boolean }
  | { kind: 'call'; of: Node; values: Node[]; optional: boolean }
  | { kind: 'new'; type: string; values: Node[] }
  | { kind: 'unary'; sign: '!' | '-' | 'typeof'; of: Node }
  | { kind: 'binary'; sign: string; left: Node; right: Node }
  | { kind: 'choice'; when: Node; then: Node; otherwise: Node }
  | { kind: 'function'; names: string[]; body: Node };

/** Variables in order, and what the expression returns. */
export interface Program {
  lets: { name: string; value: Node }[];
  result: Node;
}

/** Binary operators, from the loosest to the tightest. */
const levels = [['??'], ['||'], ['&&'], ['==', '!='], ['<', '>', '<=', '>='], ['+', '-'], ['*', '/', '%']];

const constants = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const reserved = new Set(['let', 'new', 'typeof', 'if', 'else', 'return', 'try', 'catch', 'throw', 'function']);

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(source: string) {
    this.#tokens = tokensOf(source);
  }

  program(): Program {
    const lets: Program['lets'] = [];
    while (this.#takeName('let')) {
      const name = this.#name();
      this.#expect('=');
      lets.push({ name, value: this.#expression() });
      this.#expect(';');
    }
    const result = this.#expression();
    this.#take(';');
    if (this.#token().type !== 'end') this.#fail();
    return { lets, result };
  }

  #token(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? { type: 'end' };
  }

  #fail(): never {
    const token = this.#token();
    const unexpected = token.type === 'number' ? token.value : token.type === 'end' ? 'the end' : token.text;
    throw new ExpressionRefused(`Unexpected ${unexpected} in the expression`);
  }

  #isSign(text: string, ahead = 0): boolean {
    const token = this.#token(ahead);
    return token.type === 'sign' && token.text === text;
  }

  #take(sign: string): boolean {
    if (!this.#isSign(sign)) return false;
    this.#at++;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) this.#fail();
  }

  #takeName(text: string): boolean {
    const token = this.#token();
    if (token.type !== 'name' || token.text !== text) return false;
    this.#at++;
    return true;
  }

  #name(isMember = false): string {
    const token = this.#token();
    if (token.type !== 'name' || (!isMember && (reserved.has(token.text) || constants.has(token.text)))) this.#fail();
    this.#at++;
    return token.type === 'name' ? token.text : '';
  }

  #expression(): Node {
    return this.#function() ?? this.#choice();
  }

  /** `x => …` and `(x, y) => …`. */
  #function(): Node | undefined {
    const begin = this.#at;
    const names: string[] = [];
    if (this.#take('(')) {
      if (!this.#isSign(')')) {
        do {
          const token = this.#token();
          if (token.type !== 'name') break;
          names.push(token.text);
          this.#at++;
        } while (this.#take(','));
      }
      if (this.#take(')') && this.#take('=>')) return { kind: 'function', names, body: this.#expression() };
    } else if (this.#token().type === 'name' && this.#isSign('=>', 1)) {
      names.push(this.#name());
      this.#expect('=>');
      return { kind: 'function', names, body: this.#expression() };
    }
    this.#at = begin;
    return undefined;
  }

  #choice(): Node {
    const when = this.#binary(0);
    if (!this.#take('?')) return when;
    const then = this.#expression();
    this.#expect(':');
    return { kind: 'choice', when, then, otherwise: this.#expression() };
  }

  #binary(level: number): Node {
    const signs = levels[level];
    if (!signs) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const sign = signs.find(each => this.#take(each));
      if (sign === undefined) return left;
      left = { kind: 'binary', sign, left, right: this.#binary(level + 1) };
    }
  }

  #unary(): Node {
    if (this.#take('!')) return { kind: 'unary', sign: '!', of: this.#unary() };
    if (this.#take('-')) return { kind: 'unary', sign: '-', of: this.#unary() };
    if (this.#takeName('typeof')) return { kind: 'unary', sign: 'typeof', of: this.#unary() };
    return this.#postfix();
  }

  #postfix(): Node {
    let node = this.#primary();
    for (;;) {
      if (this.#take('.')) {
        node = { kind: 'member', of: node, key: this.#memberName(), optional: false };
      } else if (this.#take('?.')) {
        const isComputed = this.#take('[');
        const key = isComputed ? this.#expression() : this.#memberName();
        if (isComputed) this.#expect(']');
        node = { kind: 'member', of: node, key, optional: true };
      } else if (this.#take('[')) {
        node = { kind: 'member', of: node, key: this.#expression(), optional: false };
        this.#expect(']');
      } else if (this.#isSign('(')) {
        const optional = node.kind === 'member' && node.optional;
        node = { kind: 'call', of: node, values: this.#values(), optional };
      } else return node;
    }
  }

  #memberName(): Node {
    return { kind: 'value', value: this.#name(true) };
  }

  #values(): Node[] {
    this.#expect('(');
    const values: Node[] = [];
    if (this.#take(')')) return values;
    do values.push(this.#expression());
    while (this.#take(','));
    this.#expect(')');
    return values;
  }

  #primary(): Node {
    const token = this.#token();
    if (token.type === 'text') {
      this.#at++;
      return { kind: 'value', value: token.text };
    }
    if (token.type === 'number') {
      this.#at++;
      return { kind: 'value', value: token.value };
    }
    if (this.#takeName('new')) return { kind: 'new', type: this.#name(), values: this.#values() };
    if (token.type === 'name') {
      const constant = constants.get(token.text);
      if (constant === undefined) return { kind: 'variable', name: this.#name() };
      this.#at++;
      return { kind: 'value', value: constant };
    }
    if (this.#take('(')) {
      const inside = this.#expression();
      this.#expect(')');
      return inside;
    }
    if (this.#take('[')) {
      const items: Node[] = [];
      if (this.#take(']')) return { kind: 'list', items };
      do items.push(this.#expression());
      while (this.#take(','));
      this.#expect(']');
      return { kind: 'list', items };
    }
    return this.#fail();
  }
}

/** Parses an expression. Throws `ExpressionRefused`. */
export const parseExpression = (source: string): Program => new Parser(source).program();
