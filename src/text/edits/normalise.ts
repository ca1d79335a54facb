import { cleanText } from '../document.ts';
import { ItemsRequired } from '../errors.ts';

/**
 * Converts text typed or pasted into 'add items' to checklist lines: trimmed, without empty lines, each with a mark.
 * The text may hold details, but not begin with a detail. Normalising twice changes nothing more. Throws
 * `ItemsRequired` if nothing is left.
 */
export function normaliseItems(text: string): string {
  const lines = cleanText(text)
    .text.replace(/^[>\s]+/, '')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .map(line => (/^[-#+~>]/.test(line) ? line : `- ${line}`));
  if (lines.length === 0) throw new ItemsRequired();
  return lines.join('\n');
}
