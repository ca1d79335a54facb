/*
 * Loaded into the programs under test: a run that dies, however suddenly, leaves none of them behind. Killed, since what
 * runs at an orderly exit may wait for the run to read its output.
 */
const end = () => process.kill(process.pid, 'SIGKILL');
process.once('disconnect', end);
process.channel?.unref();
// It may have died before this was loaded.
if (!process.connected) end();
