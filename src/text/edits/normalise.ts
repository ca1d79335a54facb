import { cleanText } from '../document.ts';
import { ItemsRequired } from '../errors.ts';

/**
 * What a person types or pastes into 'add items' as checklist lines: trimmed, without empty ones, each with a mark. It may
 * hold details, but not begin with one. Normalising twice changes nothing more. Throws `ItemsRequired` if nothing is left.
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
