import type { IncomingHttpHeaders } from 'node:http';
import * as v from 'valibot';
import { opaqueTag, parseTag, type RevisionStamp } from '../../../domain/api/revision.ts';
import { api } from '../../../domain/messages.ts';
import { Refused } from '../../errors/refused.ts';
import { BadInput, readInput } from '../../errors/request.ts';

/** The schema inside of options and pipelines. */
function core(schema: v.GenericSchema): v.GenericSchema {
  if ('wrapped' in schema) return core(schema.wrapped as v.GenericSchema);
  if ('pipe' in schema) return core((schema.pipe as readonly v.GenericSchema[])[0] as v.GenericSchema);
  return schema;
}

/** The value that a text in a query stands for, by the type that is expected; the text if it stands for none. */
function typedValue(schema: v.GenericSchema | undefined, text: unknown): unknown {
  const { type } = schema ? core(schema) : { type: undefined };
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (type === 'number' && typeof text === 'string' && /^-?\d{1,9}$/.test(text)) return Number(text);
  return text;
}

/** Parses a query by a schema of typed values. Throws `BadInput`. */
export function readQuery<Schema extends v.StrictObjectSchema<v.ObjectEntries, undefined>>(
  schema: Schema,
  query: unknown,
): v.InferOutput<Schema> {
  const sentValues = readInput(v.record(v.string(), v.unknown()), query);
  const entries = schema.entries as Readonly<Record<string, v.GenericSchema | undefined>>;
  const schemaOf = (name: string) => (Object.hasOwn(entries, name) ? entries[name] : undefined);
  const typed = Object.entries(sentValues).map(([name, value]) => [name, typedValue(schemaOf(name), value)]);
  return readInput(schema, Object.fromEntries(typed));
}

/** Parses parameters of a path. Throws `BadInput`. */
export const readParams = (schemas: v.ObjectEntries, params: unknown): Record<string, string> =>
  readInput(v.pipe(v.object(schemas), v.record(v.string(), v.string())), params);

/** A header that may occur once. Throws `BadInput`. */
function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  if (Array.isArray(value)) throw new BadInput(`${name} may occur only once.`);
  return value;
}

/** The base that `If-Match` names: one revision, or `*` for the newest. Throws `BadInput`. */
export function ifMatch(headers: IncomingHttpHeaders): RevisionStamp | '*' | undefined {
  const value = headerOf(headers, 'if-match')?.trim();
  if (value === undefined || value === '*') return value;
  const stamp = parseTag(value);
  if (!stamp) throw new BadInput(api.badRevision);
  return stamp;
}

/** Whether `If-None-Match` names this tag. */
export const isCurrentTag = (headers: IncomingHttpHeaders, tag: string): boolean =>
  (headerOf(headers, 'if-none-match') ?? '').split(',').some(each => opaqueTag(each) === tag);

/** The idempotency key, with or without the quotes of a structured field. Throws `Refused`. */
export function idempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const value = headerOf(headers, 'idempotency-key')?.trim();
  if (value === undefined) return undefined;
  const key = /^"(.*)"$/.exec(value)?.[1] ?? value;
  if (!/^[\x21-\x7e]{1,80}$/.test(key)) throw new Refused('UNREADABLE', api.badKey, 'Idempotency-Key');
  return key;
}

/** Whether the text alone is asked for, by the first type that is known. */
export function wantsText({ accept = '' }: IncomingHttpHeaders): boolean {
  const types = accept.split(',').map(type => type.split(';', 1)[0]?.trim().toLowerCase());
  const acceptedType = types.find(type => type === 'text/plain' || type === 'application/json' || type === '*/*');
  return acceptedType === 'text/plain';
}
