import { expect } from 'vitest';
import type { TestQueue } from './queue.ts';

/** An app of the tests, as far as what it leaves behind is looked at. */
interface Watched {
  /** The log, by lines. */
  logged: readonly string[];
  /** Lines that earlier tests have been judged by. */
  read: number;
  /** Answers with a status of 5xx: address and status. */
  failed: string[];
  background: TestQueue;
  /** Copies and indexes of the issues stored since the last call that differ from their texts. */
  differing(): Promise<string[]>;
  /** Those that earlier tests have been judged by. */
  differed: Set<string>;
  /** Copies that waited for another try after the test before. */
  waiting: ReadonlySet<string>;
}

const ERROR_LEVEL = 50;

const apps = new Set<Watched>();

/** What the running test makes fail, in its own words. */
interface Provoked {
  /** Matches the errors in the log. */
  errors?: RegExp;
  /** Statuses of answers. */
  answers?: readonly number[];
  /** Copies are refused, and their next try waits. */
  retries?: true;
  /** Copies or indexes differ from their texts, and nothing is due that mends them. */
  differences?: true;
}

let provoked: Provoked[] = [];

/** Says what a test makes fail on purpose; all else that it leaves behind fails it. */
export const provokes = (what: Provoked): void => void provoked.push(what);

/** Looks at what the tests leave behind in an app until it closes. */
export function watchApp(logged: readonly string[], background: TestQueue, differing: Watched['differing']) {
  const watched: Watched = {
    ...{ logged, read: logged.length, failed: [], background },
    ...{ differing, differed: new Set(), waiting: new Set() },
  };
  apps.add(watched);
  return {
    answered(url: string, status: number): void {
      if (status >= 500) watched.failed.push(`${status} ${url}`);
    },
    close: () => apps.delete(watched),
  };
}

const isError = (line: string): boolean => JSON.parse(line).level >= ERROR_LEVEL;

/**
 * After each test: no error in the log, no answer of 5xx, no copy that waits for another try and none that differs for
 * good that it did not name.
 */
export async function nothingLeft(): Promise<void> {
  const expected = provoked;
  provoked = [];
  const isExpected = (line: string) => expected.some(({ errors }) => errors?.test(line));
  const statuses = expected.flatMap(({ answers = [] }) => answers);
  const mayDiffer = expected.some(({ differences }) => differences);
  const mayRetry = expected.some(({ retries }) => retries);
  for (const app of apps) {
    const errors = app.logged.slice(app.read).filter(isError);
    app.read = app.logged.length;
    const answers = app.failed.splice(0);
    const waiting = app.background.later().map(({ name, key }) => `${name} ${key}`);
    const retries = mayRetry ? [] : waiting.filter(job => !app.waiting.has(job));
    app.waiting = new Set(waiting);
    const differing = await app.differing().catch((error: unknown) => {
      // A database of another key, too.
      if (mayDiffer) return [];
      throw error;
    });
    const differences = mayDiffer ? [] : differing.filter(each => !app.differed.has(each));
    for (const each of differing) app.differed.add(each);
    const left = {
      errors: errors.filter(line => !isExpected(line)),
      answers: answers.filter(answer => !statuses.includes(Number.parseInt(answer, 10))),
      retries,
      differences,
    };
    expect(left, 'what the test left behind').toEqual({ errors: [], answers: [], retries: [], differences: [] });
  }
}

/** After each file: apps that it has not closed are no matter of the next one. */
export const forgetApps = (): void => apps.clear();
