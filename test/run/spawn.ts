import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const tether = pathToFileURL(join(import.meta.dirname, 'tether.mjs')).href;

/** Runs a Node program that ends with this process, however suddenly. */
export const spawnNode = (args: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess =>
  spawn(process.execPath, ['--import', tether, ...args], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });

/** A program for Node under test, and what it prints. */
export interface Running {
  child: ChildProcess;
  /** Its exit code or signal, once all of its output is there. */
  ended: Promise<number | NodeJS.Signals | null>;
  /** What it has printed on both outputs so far. */
  printed(): string;
  /** Resolves with the first match in what it prints; rejects with its last lines where it ends without one. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
}

/** As `spawnNode`, with its output collected. */
export function runNode(args: readonly string[], env?: NodeJS.ProcessEnv): Running {
  const child = spawnNode(args, env);
  let printed = '';
  const onPrint = (chunk: Buffer) => (printed += chunk);
  child.stdout?.on('data', onPrint);
  child.stderr?.on('data', onPrint);
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  return {
    child,
    ended,
    printed: () => printed,
    prints: pattern =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(printed);
          if (match) resolve(match);
        };
        child.stdout?.on('data', look);
        child.stderr?.on('data', look);
        look();
        ended.then(
          end => reject(new Error(`It ended with ${end} and never printed ${pattern}:\n${tail(printed)}`)),
          reject,
        );
      }),
  };
}

/** The last lines of a log. */
export const tail = (log: string, lines = 40): string => log.trimEnd().split('\n').slice(-lines).join('\n');
