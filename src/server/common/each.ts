import { TrackerUnavailable } from '../errors/tracker.ts';
import { StoreUnavailable } from '../errors/unavailable.ts';

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

/** Maximum number of failures that a message names. */
const NAMED_MAX = 5;

/** Says how a loop ended, for the log: "copies of statuses: 4 done, 1 refused: project AB (The tracker answered 403 …)". */
export function summaryOf(what: string, { done, failures }: LoopResult): string {
  const named = failures.slice(0, NAMED_MAX).map(({ name, error }) => `${name} (${reasonOf(error)})`);
  const more = failures.length > NAMED_MAX ? [`${failures.length - NAMED_MAX} more`] : [];
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

/** Whether further things would fail for the same reason: the tracker or the database does not answer. */
export const concernsAll = (error: unknown): boolean =>
  error instanceof TrackerUnavailable || error instanceof StoreUnavailable;

/**
 * Works on issues, projects or sites, one after the other, and goes on after a failure. An error that concerns all of
 * them (`stops`) rejects when the next thing meets one, too: met by one thing alone, it is that thing's failure. Things
 * of one owner count as one there.
 */
export async function eachOf<Thing>(
  things: Iterable<Thing> | AsyncIterable<Thing>,
  nameOf: (thing: Thing) => string,
  work: (thing: Thing) => Promise<unknown>,
  stops: (error: unknown) => boolean = concernsAll,
  ownerOf: (thing: Thing) => unknown = thing => thing,
): Promise<LoopResult<Thing>> {
  let done = 0;
  const failures: Failure<Thing>[] = [];
  /** The last thing, if it met an error that concerns all. */
  let doubtful: { owner: unknown } | undefined;
  for await (const thing of things) {
    try {
      await work(thing);
      done += 1;
      doubtful = undefined;
    } catch (error) {
      const owner = ownerOf(thing);
      if (stops(error) && doubtful && doubtful.owner !== owner) throw error;
      doubtful = stops(error) ? { owner } : undefined;
      failures.push({ thing, name: nameOf(thing), error });
    }
  }
  return { done, failures };
}

/** Works on all sites; no error of one stops the others. Errors are reported once, by site. */
export async function eachSite(
  what: string,
  ids: Iterable<string>,
  onError: (error: unknown) => void,
  work: (id: string) => Promise<unknown>,
): Promise<void> {
  const result = await eachOf(
    ids,
    id => id,
    work,
    () => false,
  );
  if (result.failures.length > 0) onError(new Incomplete(what, result));
}
