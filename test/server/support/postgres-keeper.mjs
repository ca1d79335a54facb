import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

/*
 * Runs a PostgreSQL server for the process that started it: `node postgres-keeper.mjs FOLDER USER COMMAND …`, the
 * user as options of `spawn`. When that process disconnects or ends, also when killed, the server stops and its
 * folder is removed.
 */

const [folder, user, command, ...args] = process.argv.slice(2);
const server = spawn(command, args, { ...JSON.parse(user), detached: true, stdio: ['ignore', 'ignore', 'inherit'] });

process.once('disconnect', () => server.kill('SIGINT'));
// A terminal signals all processes of a run at once: the server stops when the run disconnects.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
server.once('exit', code => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(code ?? 1);
});
