import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manifestArguments } from '../../src/platform/arguments.ts';
import { lifecycleEvents, subscribedEvents } from '../../src/platform/events.ts';
import { manifest } from '../../src/platform/manifest.ts';
import { scopes } from '../../src/platform/scopes.ts';
import { costs } from '../../src/server/quota/costs.ts';
import { reasons } from '../../src/server/quota/headers.ts';

/** The table of what is used of the platform has a row for each part of it. */

const text = readFileSync(join(import.meta.dirname, '../../docs/platform.md'), 'utf8');
const lines = text.split('\n').filter(line => line.startsWith('| '));
const rows = lines.map(line => line.split(/(?<!\\)\|/).map(cell => cell.trim()));
/** Names in the first cells of rows. */
const named = new Set(rows.flatMap(([, first = '']) => [...first.matchAll(/`([^`]+)`/g)].map(match => match[1] ?? '')));

test('every call of the server has its row', () => {
  expect(Object.keys(costs).filter(name => !named.has(name))).toEqual([]);
});

test('every row of a call is of a call, with its method', () => {
  const calls = rows.filter(([, , endpoint = '']) => /^`(GET|POST|PUT|DELETE) /.test(endpoint));
  const methods = new Map<string, string>(Object.entries(costs).map(([name, { method }]) => [name, method]));
  for (const [, name = '', endpoint = ''] of calls)
    expect([name, endpoint.split(' ')[0]]).toEqual([name, `\`${methods.get(name.replaceAll('`', ''))}`]);
});

test('every call of pages has its row, and every such row is of a call', () => {
  const calls = new Set(Object.values(scopes).flatMap(({ pages }) => pages));
  const written = new Set([...named].filter(name => /^[A-Z]+ \/rest\//.test(name)));
  expect(written).toEqual(calls);
});

test('every event and module of the manifest has its row', () => {
  const { modules } = manifest(manifestArguments(['--past', 'connect'], {}).values);
  const events = [...subscribedEvents.map(({ event }) => event), ...lifecycleEvents];
  // Calls of the platform to the server, and their schedule.
  const plumbing = ['endpoint', 'trigger', 'scheduledTrigger', 'preUninstall'];
  const wanted = [...events, ...Object.keys(modules).filter(name => !plumbing.includes(name))];
  expect(wanted.filter(name => !named.has(name))).toEqual([]);
});

test('every limit that responses name, and every token that endpoints ask for, has its row', () => {
  const { modules } = manifest(manifestArguments([], {}).values);
  const tokens = modules.endpoint.flatMap(({ auth = {} }) => Object.keys(auth));
  expect(tokens.length).toBeGreaterThan(0);
  expect([...reasons, ...tokens].filter(name => !named.has(name))).toEqual([]);
});

test('every row has the date of the last look', () => {
  const content = rows.filter(
    ([, first = '']) => !/^-+$/.test(first) && !/^(Call|Page call|Event|Token|Limit|Module|Duty)$/.test(first),
  );
  expect(content.filter(cells => !/^\d{4}-\d\d-\d\d$/.test(cells.at(-2) ?? ''))).toEqual([]);
});
