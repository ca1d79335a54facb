import run from '../../../src/server/text-workers/entry.ts';
import type { ThreadAnswer, ThreadInput } from '../../../src/server/text-workers/pool.ts';

/** Words in a task's input that make a thread misbehave. */
export const traps = {
  endless: 'COMPUTE FOR EVER',
  killed: 'END THE THREAD',
  greedy: 'FILL THE MEMORY',
} as const;

/** The program of a worker thread that misbehaves where its input says so. */
export default function runTrapped(task: ThreadInput): ThreadAnswer {
  task.begun.postMessage(null);
  const input = JSON.stringify(task.input);
  if (input.includes(traps.endless)) for (;;);
  if (input.includes(traps.killed)) process.exit(1);
  if (input.includes(traps.greedy)) for (const filled: number[][] = []; ; filled.push(Array(1_000_000).fill(0.5)));
  return run(task);
}
