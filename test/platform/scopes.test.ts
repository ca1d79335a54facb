import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scopes, scopesOf } from '../../src/platform/scopes.ts';
import { costs } from '../../src/server/quota/costs.ts';

const uses = Object.values(scopes);

test('every call of the server is listed with its scope', () => {
  const known: readonly string[] = uses.flatMap(({ server }) => server);
  expect(Object.keys(costs).filter(name => !known.includes(name))).toEqual([]);
});

/** A source with `*` for interpolations in its texts, nested ones too. */
function withoutParts(source: string): string {
  const without = source.replace(/\$\{[^{}]*\}/g, '*');
  return without === source ? source : withoutParts(without);
}

test('every address that pages call is listed with its scope', () => {
  const client = join(import.meta.dirname, '../../src/client');
  const files = readdirSync(client, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
  const sources = files.map(file => withoutParts(readFileSync(join(client, file), 'utf8')));
  const called = sources.flatMap(text => [...text.matchAll(/['`](\/rest\/.*?)['`?]/g)].map(match => match[1] ?? ''));
  const known = uses.flatMap(({ pages }) => pages.map(call => (call.split(' ')[1] ?? '').replaceAll('{}', '*')));
  // The last part may be left out, and its slash with it.
  const stands = (path: string) => known.includes(path.replace(/(?<!\/)\*$/, '/*'));
  expect(called).toContain('/rest/api/2/user/properties*');
  expect(called.filter(path => !stands(path))).toEqual([]);
});

test('the app reads the property of the Connect add-on only where there was one', () => {
  expect(scopesOf('connect')).toHaveProperty('read:app-data:jira');
  expect(Object.keys(scopesOf('none'))).toEqual(Object.keys(scopes).filter(scope => scope !== 'read:app-data:jira'));
});
