import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

/** The built client's first load: the scripts without which the issue panel does not show its rows. */

const client = join(import.meta.dirname, '../../dist/client');
/** Bytes of JavaScript after gzip. */
const BUDGET = 130_000;

interface Chunk {
  file: string;
  imports?: string[];
}

const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(client, '.vite/manifest.json'), 'utf8'));

/** Files of a chunk and of everything that it imports statically. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`No chunk ${name} in the built client.`);
  if (!seen.has(chunk.file)) {
    seen.add(chunk.file);
    for (const other of chunk.imports ?? []) filesOf(other, seen);
  }
  return seen;
}

test('the issue panel loads at most 130 KB of JavaScript before it shows its rows', () => {
  const files = filesOf('screens/checklist.tsx', filesOf('index.html'));
  const sizes = [...files].map(file => gzipSync(readFileSync(join(client, file)), { level: 9 }).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeLessThanOrEqual(BUDGET);
});

test('neither the text editor nor menus are part of it', () => {
  const files = filesOf('screens/checklist.tsx', filesOf('index.html'));
  const code = [...files].map(file => readFileSync(join(client, file), 'utf8')).join('');
  expect(code).not.toContain('cm-editor');
  expect(code).not.toContain('menuitemradio');
});
