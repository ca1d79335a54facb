import { paste as messages } from '../../domain/messages.ts';
import type { Loss } from './blocks.ts';

/** Kinds of loss listed one by one. */
const MAX_LINES = 4;

/** Says what a conversion lost, each kind once. */
export function lossLines(lost: readonly Loss[]): string[] {
  const counts = new Map<string, number>();
  for (const { what } of lost) counts.set(what, (counts.get(what) ?? 0) + 1);
  const all = [...counts].map(([what, count]) => messages.times(what, count));
  return all.length > MAX_LINES ? [...all.slice(0, MAX_LINES), messages.more(all.length - MAX_LINES)] : all;
}
