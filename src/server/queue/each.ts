import { Unauthorized } from '../errors/request.ts';
import { TrackerUnavailable } from '../errors/tracker.ts';
import { Overloaded, StoreUnavailable } from '../errors/unavailable.ts';

/** A thing on which work failed. */
export interface Failure<Thing = unknown> {
  thing: Thing;
  name: string;
  error: unknown;
}

/** The outcome of a loop. */
export interface LoopResult<Thing = unknown> {
  done: number;
  failures: readonly Failure<Thing>[];
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : 'unknown');

const MAX_NAMED_FAILURES = 5;

/** Says how a loop ended, for the log: "copies of statuses: 4 done, 1 refused: project AB (The tracker answered 403 …)". */
export function summaryOf(what: string, { done, failures }: LoopResult): string {
  const named = failures.slice(0, MAX_NAMED_FAILURES).map(({ name, error }) => `${name} (${reasonOf(error)})`);
  const more = failures.length > MAX_NAMED_FAILURES ? [`${failures.length - MAX_NAMED_FAILURES} more`] : [];
  const counts = `${what}: ${done} done, ${failures.length} refused`;
  return failures.length > 0 ? `${counts}: ${[...named, ...more].join(', ')}` : counts;
}

/** A loop that went on after failures. Its message names them. */
export class Incomplete extends AggregateError {
  override readonly name = 'Incomplete';

  constructor(what: string, result: LoopResult) {
    super(
      result.failures.map(({ error }) => error),
      summaryOf(what, result),
    );
  }
}

/** When an error ends a loop: at once, when the next thing meets one as well, or never. */
export type LoopEnd = 'at once' | 'twice' | 'never';

/**
 * The database, the installation, points or turns are gone for all things. The tracker may not answer for one of them
 * alone.
 */
export function loopEndFor(error: unknown): LoopEnd {
  if (error instanceof StoreUnavailable || error instanceof Unauthorized) return 'at once';
  if (error instanceof Overloaded && error.isUntried) return 'at once';
  if (!(error instanceof TrackerUnavailable)) return 'never';
  return error.retryAfter === undefined ? 'twice' : 'at once';
}

export interface LoopOptions<Thing> {
  endsBy?(error: unknown): LoopEnd;
  /** Whose thing it is: things of one owner count as one when an error has to be met twice. */
  ownerOf?(thing: Thing): unknown;
  /** Whether the tracker answers another call. If it does, an error that two in a row meet does not end the loop. */
  answers?(): Promise<boolean>;
}

/**
 * Works on issues, projects or sites, one after the other, and goes on after a failure. Rejects with an error that ends
 * the loop (`endsBy`).
 */
export async function eachOf<Thing>(
  things: Iterable<Thing> | AsyncIterable<Thing>,
  nameOf: (thing: Thing) => string,
  work: (thing: Thing) => Promise<unknown>,
  { endsBy: ends = loopEndFor, ownerOf = thing => thing, answers = async () => false }: LoopOptions<Thing> = {},
): Promise<LoopResult<Thing>> {
  let done = 0;
  const failures: Failure<Thing>[] = [];
  /** Whose thing met the last error that ends the loop when another one meets one. */
  let first: { owner: unknown } | undefined;
  for await (const thing of things) {
    try {
      await work(thing);
      done += 1;
      first = undefined;
    } catch (error) {
      const end = ends(error);
      const owner = ownerOf(thing);
      const isMetTwice = end === 'twice' && first !== undefined && first.owner !== owner;
      if (end === 'at once' || (isMetTwice && !(await answers()))) throw error;
      first = end === 'twice' ? { owner } : undefined;
      failures.push({ thing, name: nameOf(thing), error });
    }
  }
  return { done, failures };
}

/** Works on issues. Rejects with `Incomplete` at the end if some failed. */
export async function eachIssue(
  what: string,
  ids: Iterable<string> | AsyncIterable<string>,
  work: (id: string) => Promise<unknown>,
): Promise<void> {
  const result = await eachOf(ids, id => `issue ${id}`, work);
  if (result.failures.length > 0) throw new Incomplete(what, result);
}

/** Works on all sites; no error of one stops the others. Errors are reported once, by site. */
export async function eachSite(
  what: string,
  ids: Iterable<string>,
  onError: (error: unknown) => void,
  work: (id: string) => Promise<unknown>,
): Promise<void> {
  const result = await eachOf(ids, id => id, work, { endsBy: () => 'never' });
  if (result.failures.length > 0) onError(new Incomplete(what, result));
}

/** How rows are read by pages. */
export interface Paging<Row> {
  /** How many rows a full page has; a page with fewer rows is the last one. */
  size: number;
  /** The id by which rows are ordered. */
  idOf(row: Row): string;
  /** Reads the rows after an id, at most `size` of them. */
  next(after: string, size: number): Promise<readonly Row[]>;
}

/** Reads all rows in the order of their ids, page by page. No page is empty. */
export async function* pagesOf<Row>({ size, idOf, next }: Paging<Row>): AsyncGenerator<readonly Row[]> {
  for (let after = ''; ; ) {
    const page = await next(after, size);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < size) return;
    after = idOf(last);
  }
}

/** Pages of rows of issues. */
export const pagesOfIssues = <Row extends { issue: string }>(size: number, next: Paging<Row>['next']) =>
  pagesOf({ size, idOf: ({ issue }: Row) => issue, next });
