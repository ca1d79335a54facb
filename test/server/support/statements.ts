import { appendFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** File of the run's statements, one JSON string per line. */
const file = () => join(tmpdir(), 'statements.jsonl');

const known = new Set<string>();
let recording = false;

/** Records each statement with parameters that this worker sends to PostgreSQL. */
export function recordStatements(): void {
  if (recording) return;
  recording = true;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...call: unknown[]) {
    const [given] = call;
    const text = typeof given === 'object' && given && 'text' in given ? String(given.text) : '';
    if (text && !known.has(text)) {
      known.add(text);
      appendFileSync(file(), `${JSON.stringify(text)}\n`);
    }
    return Reflect.apply(query, this, call);
  } as typeof query;
}

/** The recorded statements of all workers, without duplicates. */
export function recordedStatements(): string[] {
  try {
    const lines = readFileSync(file(), 'utf8').trimEnd().split('\n');
    return [...new Set(lines)].map(line => String(JSON.parse(line)));
  } catch {
    return [];
  }
}
