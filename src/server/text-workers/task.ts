/**
 * A pure function over texts. Input and output are plain data, so that it can run in another thread: that of `tasks.ts`,
 * which lists every task by its name.
 */
export interface TextTask<Input, Output> {
  name: string;
  run(input: Input): Output;
  /** About how many characters of texts it reads; rows that are compared count as well (`comparison`). */
  charactersOf(input: Input): number;
}

/** Runs a task. Rejects with `Overloaded` if the process has no time or memory for it. */
export type RunTask = <Input, Output>(task: TextTask<Input, Output>, input: Input) => Promise<Output>;

/**
 * Tasks that read more characters than this run in a worker thread. About 10 ms: 8,000 characters of usual rows take 3 ms to
 * be derived from, 5 ms to be merged and 8 to 17 ms to be replaced; one row of 8,000 characters of marks takes 7 to 15 ms.
 */
export const MAX_CHARACTERS_HERE = 8_192;

/** 16,000 pairs of short rows take about 10 ms as well. */
const PAIRS_PER_CHARACTER = 2;

const linesIn = (text: string): number => text.split('\n').length;

/** For how many characters it counts to compare the rows of two texts, which may have nothing in common. */
export const comparison = (one: string, other: string): number => (linesIn(one) * linesIn(other)) / PAIRS_PER_CHARACTER;

export const isLarge = <Input>(task: TextTask<Input, unknown>, input: Input): boolean =>
  task.charactersOf(input) > MAX_CHARACTERS_HERE;

/** A large task was met outside of a turn. */
export class NeedsTurn extends Error {
  override readonly name = 'NeedsTurn';
}

/** Runs small tasks in this thread. Rejects large ones with `NeedsTurn`. */
export const runSmall: RunTask = async (task, input) => {
  if (isLarge(task, input)) throw new NeedsTurn(`The task ${task.name} is too large for this thread.`);
  return task.run(input);
};

/** Runs every task in this thread, for programs that answer no requests. */
export const runHere: RunTask = async (task, input) => task.run(input);

/** Declares a task, which `tasks.ts` lists. */
export const textTask = <Input, Output>(task: {
  name: string;
  run(input: Input): Output;
  charactersOf(input: NoInfer<Input>): number;
}): TextTask<Input, Output> => task;

/** A part has more characters only if one item has more. */
const MAX_PART_CHARACTERS = 32_768;

/** Runs a task over many items in parts, each in a turn of its own, so that others wait for one of them only. */
export async function runInParts<Item, Result>(
  run: RunTask,
  task: TextTask<readonly Item[], readonly Result[]>,
  items: readonly Item[],
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; ) {
    let [to, characters] = [from, 0];
    for (; to < items.length; to++) {
      characters += task.charactersOf(items.slice(to, to + 1));
      if (to > from && characters > MAX_PART_CHARACTERS) break;
    }
    results.push(...(await run(task, items.slice(from, to))));
    from = to;
  }
  return results;
}
