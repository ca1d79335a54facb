import { run } from './run.ts';
import { processWorld } from './world.ts';

/** The checklist language on the command line, for people, scripts and continuous integration. */

// Whoever closes the pipe has read enough.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', error => {
    if (!('code' in error) || error.code !== 'EPIPE') throw error;
  });
}

const { output, errors, code } = await run(process.argv.slice(2), processWorld());
process.stderr.write(errors);
process.stdout.write(output);
process.exitCode = code;
