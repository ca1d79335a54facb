import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../src/ui');
const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.css'));

test('rules for narrow containers hold at every page zoom: Safari’s engine compares zoomed pixels', () => {
  const rules = sheets.flatMap(file => readFileSync(join(folder, file), 'utf8').match(/@container [^{]*/g) ?? []);
  expect(rules.length).toBeGreaterThan(10);
  expect(rules.filter(rule => /\dpx/.test(rule))).toEqual([]);
});

test('the radius and the order of layers are the tokens of theme.css', () => {
  const isOwn = (line: string) => /border-radius:[^;]*\b3px|z-index: *[1-9]\d+/.test(line);
  const lines = sheets.flatMap(file =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .flatMap(line => (isOwn(line) ? [`${file}: ${line.trim()}`] : [])),
  );
  expect(lines).toEqual([]);
});
