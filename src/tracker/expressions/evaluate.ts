import { ExpressionRefused } from './lex.ts';
import { type Node, parseExpression } from './parse.ts';
import { compare, equal, fromJson, memberOf, textOf, truthy, typeOf, type Value } from './values.ts';

/** The values that an expression can read, by name, as JSON. */
export interface ExpressionContext {
  variables: Readonly<Record<string, unknown>>;
  /** Milliseconds, and the user's time zone. */
  now: number;
  zone: string;
}

/** An evaluation with more steps is refused. */
const MAX_STEPS = 10_000;

type Scope = ReadonlyMap<string, Value>;

class Evaluation {
  readonly #context: ExpressionContext;
  #steps = 0;

  constructor(context: ExpressionContext) {
    this.#context = context;
  }

  value(node: Node, scope: Scope): Value {
    if (++this.#steps > MAX_STEPS) throw new ExpressionRefused(`The expression takes more than ${MAX_STEPS} steps`);
    switch (node.kind) {
      case 'value':
        return node.value;
      case 'variable':
        return this.#variable(node.name, scope);
      case 'list':
        return node.items.map(item => this.value(item, scope));
      case 'member':
        return this.#member(node, scope);
      case 'call':
        return this.#call(node, scope);
      case 'new':
        return this.#created(node, scope);
      case 'unary':
        return this.#unary(node, scope);
      case 'binary':
        return this.#binary(node, scope);
      case 'choice':
        return this.value(truthy(this.value(node.when, scope)) ? node.then : node.otherwise, scope);
      case 'function':
        return (...values) =>
          this.value(
            node.body,
            new Map([...scope, ...node.names.map((name, i) => [name, values[i] ?? null] as const)]),
          );
    }
  }

  #variable(name: string, scope: Scope): Value {
    const value = scope.get(name);
    if (value === undefined) throw new ExpressionRefused(`Unknown variable ${name}`);
    return value;
  }

  /** With `?.`, what cannot be accessed is null. */
  #member({ of, key, optional }: Extract<Node, { kind: 'member' }>, scope: Scope): Value {
    const value = this.value(of, scope);
    const name = this.value(key, scope);
    if (!optional) return memberOf(value, name);
    try {
      return memberOf(value, name);
    } catch (error) {
      if (error instanceof ExpressionRefused) return null;
      throw error;
    }
  }

  #call({ of, values, optional }: Extract<Node, { kind: 'call' }>, scope: Scope): Value {
    const argumentValues = () => values.map(value => this.value(value, scope));
    if (of.kind === 'variable' && of.name === 'Number' && !scope.has('Number'))
      return Number(textOf(argumentValues()[0] ?? null));
    const called = this.value(of, scope);
    if (called === null && optional) return null;
    if (typeof called !== 'function') throw new ExpressionRefused(`${typeOf(called)} is no function`);
    return called(...argumentValues());
  }

  #created({ type, values }: Extract<Node, { kind: 'new' }>, scope: Scope): Value {
    const [of] = values.map(value => this.value(value, scope));
    const { now, zone } = this.#context;
    if (type === 'Date') {
      const ms = of === undefined ? now : typeof of === 'string' ? Date.parse(of) : Number(of);
      if (Number.isNaN(ms)) throw new ExpressionRefused('Invalid date');
      return { type: 'Date', ms, zone };
    }
    throw new ExpressionRefused(`new ${type} is not known here`);
  }

  #unary({ sign, of }: Extract<Node, { kind: 'unary' }>, scope: Scope): Value {
    if (sign === 'typeof') {
      if (of.kind === 'variable' && !scope.has(of.name)) return 'undefined';
      return typeOf(this.value(of, scope));
    }
    const value = this.value(of, scope);
    if (sign === '!') return !truthy(value);
    if (typeof value !== 'number') throw new ExpressionRefused(`Can't negate ${typeOf(value)}.`);
    return -value;
  }

  #binary({ sign, left, right }: Extract<Node, { kind: 'binary' }>, scope: Scope): Value {
    const first = this.value(left, scope);
    if (sign === '&&') return truthy(first) ? this.value(right, scope) : first;
    if (sign === '||') return truthy(first) ? first : this.value(right, scope);
    if (sign === '??') return first ?? this.value(right, scope);
    const second = this.value(right, scope);
    switch (sign) {
      case '==':
        return equal(first, second);
      case '!=':
        return !equal(first, second);
      case '<':
        return compare(first, second) < 0;
      case '>':
        return compare(first, second) > 0;
      case '<=':
        return compare(first, second) <= 0;
      case '>=':
        return compare(first, second) >= 0;
      case '+':
        if (typeof first === 'string' || typeof second === 'string') return textOf(first) + textOf(second);
    }
    if (typeof first !== 'number' || typeof second !== 'number') {
      throw new ExpressionRefused(`Can't calculate ${typeOf(first)} ${sign} ${typeOf(second)}.`);
    }
    if (sign === '+') return first + second;
    if (sign === '-') return first - second;
    if (sign === '*') return first * second;
    return sign === '/' ? first / second : first % second;
  }
}

/** Evaluates an expression. Throws `ExpressionRefused` if the site would fail, and for what is not supported here. */
export function evaluate(source: string, context: ExpressionContext): Value {
  const { lets, result } = parseExpression(source);
  const evaluation = new Evaluation(context);
  const scope = new Map(Object.entries(context.variables).map(([name, value]) => [name, fromJson(value)]));
  for (const { name, value } of lets) {
    if (scope.has(name)) throw new ExpressionRefused(`The variable ${name} exists`);
    scope.set(name, evaluation.value(value, scope));
  }
  return evaluation.value(result, scope);
}
