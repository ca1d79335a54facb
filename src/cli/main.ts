import { failure, processEnvironment } from './environment.ts';
import { run } from './run.ts';

/** The checklist language on the command line, for people, scripts and continuous integration. */

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', error => {
    // A closed pipe ends the program.
    if ('code' in error && error.code === 'EPIPE') return;
    process.exitCode = 2;
    if (stream === process.stdout) process.stderr.write(`${failure('write', 'standard output', error).message}\n`);
  });
}

const { output, errors, code } = await run(process.argv.slice(2), processEnvironment());
process.stderr.write(errors);
process.stdout.write(output);
process.exitCode = code;
