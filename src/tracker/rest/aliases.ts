import type { SearchAlias } from '../apps.ts';
import type { Context } from '../context.ts';
import type { Caller } from '../permissions.ts';
import type { Issue } from '../site/model.ts';
import { badRequest } from './errors.ts';

/** Compares a value of an issue's property with a value of the query. */
type Comparison = (value: unknown, expected: string) => boolean;

const order = (value: unknown, expected: string): number =>
  typeof value === 'number' ? value - Number(expected) : String(value).localeCompare(expected);
const equals: Comparison = (value, wanted) => order(value, wanted) === 0;
const ordered: Record<string, Comparison> = {
  '=': equals,
  '<': (value, wanted) => order(value, wanted) < 0,
  '<=': (value, wanted) => order(value, wanted) <= 0,
  '>': (value, wanted) => order(value, wanted) > 0,
  '>=': (value, wanted) => order(value, wanted) >= 0,
};
/** Operators by the type of the alias (Connect, "Entity property", extractions). */
const operators: Record<SearchAlias['type'], Record<string, Comparison>> = {
  number: ordered,
  date: ordered,
  string: { '=': equals },
  user: { '=': equals },
  text: { '~': (value, wanted) => String(value).toLowerCase().includes(wanted.toLowerCase()) },
};

const compared = /^(\w+)\s*([<>]=?|!?=|~)\s*(?:"([^"]*)"|([\w:.-]+|currentUser\(\)))$/i;
const present = /^(\w+)\s+is\s+(not\s+)?empty$/i;

/** The values of a property at a path. Each entry of a list is a value. */
function valuesAt(property: unknown, path: string): unknown[] {
  const value = path
    .split('.')
    .reduce<unknown>(
      (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
      property,
    );
  return [value ?? []].flat();
}

/** A clause about a value of a property, by the alias that an installed app declares for it; `undefined` for another clause. */
export function aliasFilter(
  { site, apps }: Context,
  caller: Caller,
  clause: string,
): ((issue: Issue) => boolean) | undefined {
  const [, comparedName, operator = '', quoted, plain = ''] = compared.exec(clause) ?? [];
  const [, presentName, isNot] = present.exec(clause) ?? [];
  const name = (comparedName ?? presentName)?.toLowerCase();
  const declared = apps()
    .flatMap(({ aliases }) => aliases)
    .filter(({ alias }) => alias.toLowerCase() === name);
  const [{ type } = { type: 'text' as const }] = declared;
  if (declared.length === 0) return undefined;
  const values = ({ id }: Issue) =>
    declared.flatMap(({ propertyKey, path }) => valuesAt(site.properties.get(`issue/${id}/${propertyKey}`), path));
  if (presentName !== undefined) return issue => values(issue).length > 0 === (isNot !== undefined);
  const compare = operators[type][operator];
  if (!compare) throw badRequest(`The operator '${operator}' is not supported by the '${name}' field.`);
  const isCaller = plain.toLowerCase() === 'currentuser()';
  const comparedText = isCaller ? (caller.kind === 'person' ? caller.person.accountId : '') : (quoted ?? plain);
  return issue => values(issue).some(value => compare(value, comparedText));
}
