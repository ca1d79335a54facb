import { asRefusal } from '../errors/refusal.ts';
import { Refused, refusalOf } from '../errors/refused.ts';
import type { ThreadAnswer, ThreadInput } from './pool.ts';
import { tasks } from './tasks.ts';

/** The program of a worker thread: runs one task. An error of the task is an answer; only others end the thread. */
export default function run({ name, input, begun }: ThreadInput): ThreadAnswer {
  begun.postMessage(null);
  begun.close();
  const task = tasks.get(name);
  if (!task) throw new Error(`There is no task ${name}.`);
  try {
    return { value: task.run(input as never) };
  } catch (error) {
    const refused = asRefusal(error);
    return refused instanceof Refused ? { refusal: refusalOf(refused) } : { error };
  }
}
