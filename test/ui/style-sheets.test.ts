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

test('the radius, the focus ring and the order of layers are tokens', () => {
  const isOwn = (line: string) => /(?<!-)border-radius:[^;]*\dpx|z-index: *[1-9]|outline: *2px/.test(line);
  const lines = sheets.flatMap(file =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .flatMap(line => (isOwn(line) ? [`${file}: ${line.trim()}`] : [])),
  );
  expect(lines).toEqual([]);
});

test('the tokens of theme.css have values of their own', () => {
  const tokens = readFileSync(join(folder, 'theme.css'), 'utf8').matchAll(/^ {2}(--[\w-]+): ([^;]+);/gm);
  const values = new Map([...tokens].map(([, name, value]) => [name, value]));
  expect(values.get('--border-radius')).toBe('3px');
  expect([...values].filter(([name, value]) => name && value?.includes(`var(${name})`))).toEqual([]);
});
