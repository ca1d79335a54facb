import { ExpressionRefused } from './lex.ts';

/*
 * Types of Jira expressions and what they can do, as far as the documentation's type reference is supported here. Anything
 * else fails, as it would at the site.
 */

export type Value =
  | string
  | number
  | boolean
  | null
  | readonly Value[]
  | ReadonlyMap<string, Value>
  | Instant
  | Day
  | ((...values: Value[]) => Value);

/** The type `Date`. `zone` is that of the user. */
export interface Instant {
  type: 'Date';
  ms: number;
  zone: string;
}

/** The type `CalendarDate`: an ISO day. */
export interface Day {
  type: 'CalendarDate';
  day: string;
}

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
export const isMap = (value: Value): value is ReadonlyMap<string, Value> => value instanceof Map;

export function typeOf(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'String';
  if (typeof value === 'number') return 'Number';
  if (typeof value === 'boolean') return 'Boolean';
  if (typeof value === 'function') return 'Function';
  if (isList(value)) return 'List';
  return isMap(value) ? 'Map' : (value as Instant | Day).type;
}

/** A JSON value as a value of expressions. */
export function fromJson(json: unknown): Value {
  if (json === undefined || json === null) return null;
  if (typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean') return json;
  if (Array.isArray(json)) return json.map(fromJson);
  if (typeof json === 'object') return new Map(Object.entries(json).map(([key, value]) => [key, fromJson(value)]));
  throw new ExpressionRefused('Not a JSON value');
}

export const truthy = (value: Value): boolean => value !== null && value !== false && value !== '' && value !== 0;

/** Values of different types are different; lists and maps are equal by their contents. */
export function equal(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (typeOf(left) !== typeOf(right)) return false;
  if (isList(left) && isList(right)) {
    return left.length === right.length && left.every((each, index) => equal(each, right[index] ?? null));
  }
  return JSON.stringify(left) === JSON.stringify(right) && !isMap(left) && typeof left === 'object';
}

/** Converts a value to text, as the operator `+` does beside a text. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (isList(value)) return value.map(textOf).join(',');
  if (isMap(value)) return '[object Map]';
  if (typeof value === 'function') throw new ExpressionRefused('A function is no text');
  return value.type === 'Date' ? new Date(value.ms).toISOString() : value.day;
}

/** Orders two values of one type: numbers, texts, dates. */
export function compare(left: Value, right: Value): number {
  const type = typeOf(left);
  if (type !== typeOf(right)) throw new ExpressionRefused(`Can't compare ${type} to ${typeOf(right)}.`);
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (type === 'Date') return (left as Instant).ms - (right as Instant).ms;
  if (type === 'CalendarDate') return (left as Day).day.localeCompare((right as Day).day, 'en');
  throw new ExpressionRefused(`Can't compare ${type} to ${typeOf(right)}.`);
}

type Method = (values: readonly Value[]) => Value;

const number = (value: Value | undefined, otherwise?: number): number => {
  if (value === undefined && otherwise !== undefined) return otherwise;
  if (typeof value !== 'number') throw new ExpressionRefused('Expected a Number');
  return value;
};
const text = (value: Value | undefined, otherwise?: string): string => {
  if (value === undefined && otherwise !== undefined) return otherwise;
  if (typeof value !== 'string') throw new ExpressionRefused('Expected a String');
  return value;
};
const fn = (value: Value | undefined): ((...values: Value[]) => Value) => {
  if (typeof value !== 'function') throw new ExpressionRefused('Expected a function');
  return value;
};

const textMethods = (of: string): Record<string, Method> => ({
  trim: () => of.trim(),
  toLowerCase: () => of.toLowerCase(),
  toUpperCase: () => of.toUpperCase(),
  includes: ([part]) => of.includes(text(part)),
  indexOf: ([part]) => of.indexOf(text(part)),
  slice: ([from, to]) => of.slice(number(from), number(to, of.length)),
  split: ([separator]) => of.split(text(separator, ' ')),
});

/** A list joins to at most this many characters. */
const MAX_JOINED_CHARS = 10_000;

const listMethods = (of: readonly Value[]): Record<string, Method> => ({
  map: ([each]) => of.map(value => fn(each)(value)),
  filter: ([each]) => of.filter(value => truthy(fn(each)(value))),
  every: ([each]) => of.every(value => truthy(fn(each)(value))),
  some: ([each]) => of.some(value => truthy(fn(each)(value))),
  includes: ([value = null]) => of.some(each => equal(each, value)),
  indexOf: ([value = null]) => of.findIndex(each => equal(each, value)),
  slice: ([from, to]) => of.slice(number(from), number(to, of.length)),
  concat: ([more = null]) => [...of, ...(isList(more) ? more : [more])],
  join: ([separator]) => of.map(textOf).join(text(separator, ',')).slice(0, MAX_JOINED_CHARS),
});

const dayIn = ({ ms, zone }: Instant): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(ms);

const dateMethods = (of: Instant): Record<string, Method> => ({
  toISOString: () => new Date(of.ms).toISOString(),
  toCalendarDate: () => ({ type: 'CalendarDate', day: dayIn(of) }),
  toCalendarDateUTC: () => ({ type: 'CalendarDate', day: new Date(of.ms).toISOString().slice(0, 10) }),
});

function methodsOf(value: Value): Record<string, Method> {
  if (typeof value === 'string') return textMethods(value);
  if (value === null || typeof value !== 'object') return {};
  if (isList(value)) return listMethods(value);
  if (isMap(value)) return {};
  if (value.type === 'Date') return dateMethods(value);
  return { toISOString: () => value.day };
}

/** A member of a value. Throws `ExpressionRefused` if the type has none of that name. */
export function memberOf(value: Value, key: Value): Value {
  if (value !== null && isMap(value) && typeof key === 'string') return value.get(key) ?? null;
  if (value !== null && isList(value) && typeof key === 'number') {
    const entry = value[key < 0 ? value.length + key : key];
    if (entry !== undefined) return entry;
  } else if (typeof key === 'string') {
    if (key === 'length' && (typeof value === 'string' || isList(value))) return value.length;
    const methods = methodsOf(value);
    const method = Object.hasOwn(methods, key) ? methods[key] : undefined;
    if (method) return (...values: Value[]) => method(values);
  }
  throw new ExpressionRefused(`${typeOf(value)} has no ${typeof key === 'string' ? key : 'such member'}`);
}
