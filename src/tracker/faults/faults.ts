import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CallFault, Fault, HostFault, TaskFault, WebhookFault } from '../wire/faults.ts';
import { dice } from './dice.ts';

/** The active faults. */
export interface Faults {
  add(fault: Fault): void;
  /** Returns whether there was one of that id. */
  remove(id: string): boolean;
  clear(): void;
  list(): HostFault[];
  /** The fault that strikes this call (`METHOD /path?query`), counted. */
  ofCall(call: string, by: 'addon' | 'people'): CallFault | undefined;
  /** The fault that strikes this webhook (`event ISSUE-1`), counted. */
  ofWebhook(webhook: string): WebhookFault | undefined;
  /** The fault that strikes this task (`METHOD property-key`), counted. */
  ofTask(task: string): TaskFault | undefined;
  /** Waits for a fault's delay, in milliseconds. */
  sleep(time: number): Promise<unknown>;
}

export interface FaultOptions {
  /** Milliseconds of the clock for the end of faults. */
  now?(): number;
  /** Delays calls, webhooks and tasks. */
  sleep?(time: number): Promise<unknown>;
}

interface InForce {
  id: string;
  fault: Fault;
  pattern: RegExp;
  falls: () => boolean;
  /** Milliseconds of the clock. */
  until: number;
  struck: number;
}

export function createFaults({ now = Date.now, sleep = pause }: FaultOptions = {}): Faults {
  let faults: InForce[] = [];
  let last = 0;

  const isOver = ({ fault, until, struck }: InForce) =>
    now() >= until || (fault.times !== undefined && struck >= fault.times);

  function inForce(): InForce[] {
    faults = faults.filter(entry => !isOver(entry));
    return faults;
  }

  function strike<F extends Fault>(text: string, isMeant: (fault: Fault) => fault is F): F | undefined {
    for (const entry of inForce()) {
      const { fault, pattern, falls } = entry;
      if (!isMeant(fault) || !pattern.test(text) || !falls()) continue;
      entry.struck += 1;
      return fault;
    }
    return undefined;
  }

  return {
    sleep,
    add(fault) {
      const { match, chance = 1, seed = randomInt(2 ** 32), forMs = Number.POSITIVE_INFINITY } = fault;
      last += 1;
      faults.push({
        id: String(last),
        fault,
        pattern: new RegExp(match),
        falls: dice(chance, seed),
        until: now() + forMs,
        struck: 0,
      });
    },
    remove(id) {
      const before = inForce().length;
      faults = faults.filter(entry => entry.id !== id);
      return faults.length < before;
    },
    clear() {
      faults = [];
    },
    list: () => inForce().map(({ id, fault, struck }) => ({ ...fault, id, struck })),
    ofCall: (call, by) =>
      strike(call, (fault): fault is CallFault => isOfCalls(fault) && (fault.by === undefined || fault.by === by)),
    ofWebhook: webhook => strike(webhook, (fault): fault is WebhookFault => 'webhook' in fault),
    ofTask: task => strike(task, (fault): fault is TaskFault => 'task' in fault),
  };
}

const isOfCalls = (fault: Fault): fault is CallFault => !('webhook' in fault || 'task' in fault);
