import { setTimeout as sleep } from 'node:timers/promises';
import type { Faults } from './faults/faults.ts';

/** How far a task is. */
export type TaskStatus = 'ENQUEUED' | 'RUNNING' | 'COMPLETE' | 'FAILED';

export interface Task {
  id: string;
  description: string;
  status: TaskStatus;
  /** Account id of the requester. */
  submittedBy: string;
  /** Milliseconds since the epoch. */
  submitted: number;
  started?: number;
  finished?: number;
}

/** Asynchronous tasks started by calls. */
export interface Tasks {
  /** Starts a task; faults match `what`. An exception makes it a failed one. */
  begin(what: string, submittedBy: string, work: () => Promise<void>): Task;
  find(id: string): Task | undefined;
  /** Resolves when no task is pending. */
  idle(): Promise<void>;
}

const MAX_FINISHED_TASKS = 1_000;

/** `pause` is the delay before a task starts, in milliseconds. */
export function createTasks(faults: Faults, pause: number): Tasks {
  const tasks = new Map<string, Task>();
  const pending = new Set<Promise<void>>();
  let last = 10_000;

  async function run(task: Task, what: string, work: () => Promise<void>): Promise<void> {
    const { task: outcome, delayMs } = faults.ofTask(what) ?? {};
    await sleep(pause);
    if (delayMs) await faults.sleep(delayMs);
    Object.assign(task, { status: 'RUNNING', started: Date.now() });
    try {
      if (outcome === 'failed') throw new Error('The task fails, as the tracker was told.');
      await work();
      task.status = 'COMPLETE';
    } catch {
      task.status = 'FAILED';
    }
    task.finished = Date.now();
  }

  return {
    begin(what, submittedBy, work) {
      last += 1;
      const task: Task = {
        ...{ id: String(last), description: what, status: 'ENQUEUED', submittedBy },
        submitted: Date.now(),
      };
      tasks.set(task.id, task);
      for (const [id, { finished }] of tasks)
        if (tasks.size > MAX_FINISHED_TASKS && finished !== undefined) tasks.delete(id);
      const running = run(task, what, work);
      pending.add(running);
      void running.then(() => pending.delete(running));
      return task;
    },
    find: id => tasks.get(id),
    async idle() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
