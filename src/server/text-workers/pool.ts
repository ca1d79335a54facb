import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { type Refusal, refusedBy } from '../errors/refused.ts';
import { Overloaded } from '../errors/unavailable.ts';
import { createKeyedMutex } from './mutex.ts';
import { isLarge, NeedsTurn, type RunTask, runSmall } from './task.ts';
import { createTurns, type Owner } from './turns.ts';

/** The input of a worker thread, and its answer (`entry.ts`). */
export interface ThreadInput {
  name: string;
  input: unknown;
  /** Gets a message when the task begins. */
  begun: MessagePort;
}
export type ThreadAnswer = { value: unknown } | { refusal: Refusal } | { error: unknown };

/** Runs work in a turn, with what runs its tasks. */
export type InTurn = <T>(work: (run: RunTask) => Promise<T>) => Promise<T>;

/**
 * Runs an owner's tasks over texts: small ones in this thread, large ones in a worker thread, in turns of the owners
 * (docs/decisions/text-workers.md). Too many that wait are refused with `Overloaded`.
 */
export interface OwnTexts {
  /** Runs a task, in a turn of its own if it is large. Not for a transaction, for which others may wait in their turns. */
  run: RunTask;
  /** For work that opens a transaction and has large tasks in it. */
  inTurn: InTurn;
  /** Runs work whose size shows in the transaction: at a large task it is rolled back, and `again` runs in a turn. */
  inTurnIfLarge<T>(work: (run: RunTask) => Promise<T>, again?: (run: RunTask) => Promise<T>): Promise<T>;
  /** Counts work that waits for something else before its turn (`inCountedTurn`). */
  count<T>(work: () => Promise<T>): Promise<T>;
  inCountedTurn: InTurn;
  /** For work that loads large texts for its tasks: one at a time for a site, so that few are in memory. */
  oneByOne: InTurn;
}

export interface TextWorkers {
  of(owner: Owner): OwnTexts;
  /** Ends all threads. Their tasks are rejected with `Overloaded`. */
  close(): Promise<void>;
}

export interface TextWorkersOptions {
  /** Receives the causes of tasks that were ended. */
  onError?(error: unknown): void;
  /** Receives the owner of each turn that has ended. */
  ended?(owner: Owner): void;
  timeLimitMs?: number;
  memoryLimitMb?: number;
  threads?: number;
  /** The program of a thread. */
  entry?: URL;
}

/** Below the time that a transaction may wait for its next statement (`statementTimeout` in store/open.ts). */
const TIME_LIMIT_MS = 6_000;
/** A task must begin within this time. A new thread loads its program first. */
const START_LIMIT_MS = 30_000;
const MEMORY_LIMIT_MB = 256;
/** A thread without a task ends after this time. */
const IDLE_THREAD_MS = 30_000;
/** Applies to a task that was ended. */
const RETRY_AFTER_SECONDS = 30;

const isBuilt = !import.meta.url.endsWith('.ts');
/** In a build all programs of the server lie side by side (vite.config.ts). */
const WORKER_URL = new URL(isBuilt ? './text-worker.js' : './entry.ts', import.meta.url);

/** Starts threads when there are large tasks. */
export function createTextWorkers(options: TextWorkersOptions = {}): TextWorkers {
  const {
    onError = () => {},
    ended: endedTurn,
    timeLimitMs = TIME_LIMIT_MS,
    memoryLimitMb = MEMORY_LIMIT_MB,
  } = options;
  const { threads = Math.max(1, availableParallelism() - 1), entry = WORKER_URL } = options;
  const turns = createTurns(threads);
  const [accounts, tenants] = [createKeyedMutex(), createKeyedMutex()];
  let pool: Piscina<ThreadInput, ThreadAnswer> | undefined;
  let isClosed = false;

  const createPool = () =>
    new Piscina<ThreadInput, ThreadAnswer>({
      filename: entry.href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_THREAD_MS,
      resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb },
      // Not those of the main thread, which may be for that thread alone.
      execArgv: entry.pathname.endsWith('.ts') ? ['--import', 'tsx'] : [],
    });

  async function answerOf(name: string, input: unknown): Promise<ThreadAnswer> {
    const ended = (cause: unknown) => new Overloaded(`The task ${name} was ended.`, RETRY_AFTER_SECONDS, { cause });
    if (isClosed) throw ended('The process stops.');
    pool ??= createPool();
    const ending = new AbortController();
    const endAfter = (milliseconds: number) => setTimeout(() => ending.abort(), milliseconds);
    let timer = endAfter(START_LIMIT_MS);
    const { port1, port2: begun } = new MessageChannel();
    port1.once('message', () => {
      clearTimeout(timer);
      timer = endAfter(timeLimitMs);
    });
    try {
      return await pool.run({ name, input, begun }, { signal: ending.signal, transferList: [begun] });
    } catch (error) {
      // Input or output that is no plain data is a mistake in the program.
      if (error instanceof Error && error.name === 'DataCloneError') throw error;
      if (!isClosed) onError(ended(error));
      throw ended(error);
    } finally {
      port1.close();
      clearTimeout(timer);
    }
  }

  const inThread: RunTask = async (task, input) => {
    if (!isLarge(task, input)) return task.run(input);
    const answer = await answerOf(task.name, input);
    if ('refusal' in answer) throw refusedBy(answer.refusal);
    if ('error' in answer) throw answer.error;
    // The thread has run this task.
    return answer.value as ReturnType<typeof task.run>;
  };

  function of(owner: Owner): OwnTexts {
    const { id } = owner.tenant;
    const inCountedTurn: InTurn = work => turns.take(owner, () => work(inThread).finally(() => endedTurn?.(owner)));
    const count = <T>(work: () => Promise<T>) => turns.count(owner, work);
    const inTurn: InTurn = work => count(() => inCountedTurn(work));
    return {
      run: async (task, input) => (isLarge(task, input) ? inTurn(run => run(task, input)) : task.run(input)),
      inTurn,
      async inTurnIfLarge(work, again = work) {
        try {
          return await work(runSmall);
        } catch (error) {
          if (!(error instanceof NeedsTurn)) throw error;
          return inTurn(again);
        }
      },
      count,
      inCountedTurn,
      oneByOne: work =>
        count(() =>
          accounts.run(`${id} ${owner.account}`, () =>
            tenants.run(id, () =>
              work(async (task, input) =>
                isLarge(task, input) ? inCountedTurn(run => run(task, input)) : task.run(input),
              ),
            ),
          ),
        ),
    };
  }

  return {
    of,
    async close() {
      isClosed = true;
      await pool?.destroy();
    },
  };
}
