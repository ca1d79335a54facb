import { spawnSync } from 'node:child_process';
import { buildFault, root } from './built.ts';

/* Builds what the browser tests run, unless all of it is newer than the sources. */
if (buildFault())
  process.exitCode = spawnSync('npm', ['run', 'build:all'], { cwd: root, stdio: 'inherit' }).status ?? 1;
