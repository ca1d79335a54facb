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
  child.removeAllListeners('exit');
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** Starts a program and waits for its line with the address. */
async function started(args: string[], env: NodeJS.ProcessEnv, says: RegExp): Promise<Running> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Otherwise only the connections that it resets tell.
  child.once('exit', (code, signal) => process.stderr.write(`${args.at(-1)} ended with ${signal ?? code}.\n`));
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

/** Makes the built server collect garbage on request. */
const COLLECTING = ['--expose-gc', '--import', 'data:text/javascript,process.on("SIGWINCH", () => gc())'];
/** Measures it where there is a `METER_PORT`. */
const MEASURING = ['--import', './bench/server/meter.mjs'];

/** The built server, in a folder. */
export const startServer = (env: NodeJS.ProcessEnv, folder = 'dist/server'): Promise<Running> =>
  started(
    [...COLLECTING, ...MEASURING, `${folder}/main.js`],
    // Benchmarks open no pages, and build none.
    { PORT: '0', LOG_LEVEL: 'info', QUOTA_POINTS: '10000000', CLIENT_DIR: join(root, 'src/ui'), ...env },
    /listening at (http:\S+?)"/,
  );

/** A reader of the process's own metrics, as they are now. */
export async function metricsOf({ url }: Running): Promise<(name: string) => number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return name => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
}

/** Seconds of processor time that a process has used. */
export const processorTimeOf = async (server: Running): Promise<number> =>
  (await metricsOf(server))('process_cpu_seconds_total');

/** Bytes of a process's live objects, after collections until the size is stable. */
export async function memoryOf(server: Running): Promise<number> {
  for (let least = Number.POSITIVE_INFINITY; ; ) {
    process.kill(server.pid, 'SIGWINCH');
    // By the second answer the signal has been handled.
    await metricsOf(server);
    const metrics = await metricsOf(server);
    const now = metrics('nodejs_heap_size_used_bytes') + metrics('nodejs_external_memory_bytes');
    if (now > least * 0.998) return least;
    least = now;
  }
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
