import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const tether = pathToFileURL(join(import.meta.dirname, 'tether.mjs')).href;

/** Runs a program for Node that dies with this process, however suddenly. */
export const spawnNode = (args: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess =>
  spawn(process.execPath, ['--import', tether, ...args], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
