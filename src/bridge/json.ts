import type { Json } from './bridge.ts';

/** Parses a JSON object; `undefined` for any other value. */
export function parseObject(text: unknown): { [key: string]: Json } | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const value: Json = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
