import { appendFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** Where the statements of a run are kept, one to a line as a JSON string. */
const file = () => join(tmpdir(), 'statements.jsonl');

const known = new Set<string>();
let recording = false;

/** Notes each statement with parameters that this worker sends to PostgreSQL from now on. */
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

/** The statements that the run's workers sent so far, each once. */
export function recordedStatements(): string[] {
  try {
    const lines = readFileSync(file(), 'utf8').trimEnd().split('\n');
    return [...new Set(lines)].map(line => String(JSON.parse(line)));
  } catch {
    return [];
  }
}
