import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../..');

export interface Running {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** Starts a program and waits for the line that says where it listens. */
async function started(args: string[], env: NodeJS.ProcessEnv, says: RegExp): Promise<Running> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const found = says.exec(line)?.[1];
    if (found === undefined) continue;
    child.stdout.resume();
    const url = found.startsWith('http') ? found : `http://localhost:${found}`;
    return { url, pid: child.pid ?? 0, stop: () => stopped(child) };
  }
  throw new Error(`${args.join(' ')} did not start.`);
}

/** The stub of a tracker that answers each call after so many milliseconds. */
export const startStub = (latency: number): Promise<Running> =>
  started(['--import', 'tsx', 'bench/server/stub.ts', String(latency)], {}, /^(\d+)$/);

/** The built server. */
export const startServer = (env: NodeJS.ProcessEnv): Promise<Running> =>
  started(['dist/server/main.js'], { PORT: '0', LOG_LEVEL: 'info', ...env }, /listening at (http:\S+?)"/);

/** Seconds of processor time that a process has used, and the bytes that it holds in memory; from its own metrics. */
export async function figuresOf({ url }: Running): Promise<{ cpu: number; memory: number }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
  return { cpu: figure('process_cpu_seconds_total'), memory: figure('process_resident_memory_bytes') };
}

/** A call that the stub has answered, on the machine's clock. */
export interface Call {
  issue: string;
  from: number;
  to: number;
}

/** The calls that the stub has answered since it was asked last. */
export const callsSince = async (stub: Running): Promise<Call[]> =>
  ((await (await fetch(`${stub.url}/stub/calls`)).json()) as { calls: Call[] }).calls;
