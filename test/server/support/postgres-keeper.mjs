import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

/*
 * Runs a PostgreSQL server for the process that started it: `node postgres-keeper.mjs FOLDER USER COMMAND …`, the
 * user as options of `spawn`. When that process disconnects or ends, also when killed, the server stops and its
 * folder is removed. The message `kill` kills the server as a power loss does, and starts it again.
 */

const [folder, user, command, ...args] = process.argv.slice(2);
/** Milliseconds between two starts, and how many there are at most: the processes of a killed server take some time to end. */
const AGAIN = 200;
const TRIES = 50;

let server;
let [tries, isOver] = [0, false];

function end(code) {
  rmSync(folder, { recursive: true, force: true });
  process.exit(code ?? 1);
}

function start() {
  if (isOver) return end(0);
  server = spawn(command, args, { ...JSON.parse(user), detached: true, stdio: ['ignore', 'ignore', 'inherit'] });
  server.once('exit', code => {
    if (isOver || tries === 0) return end(code);
    tries -= 1;
    setTimeout(start, AGAIN);
  });
}

process.once('disconnect', () => {
  isOver = true;
  server.kill('SIGINT');
});
process.on('message', message => {
  if (message !== 'kill') return;
  tries = TRIES;
  server.kill('SIGKILL');
});
// A terminal signals all processes of a run at once: the server stops when the run disconnects.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
start();
