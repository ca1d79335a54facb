import { offencesAt } from './offences.ts';

/*
 * An offender in a process of its own, so that its work is not measured as waiting. Argument: the server's URL. Sends
 * the names of its offences; for each message with a name and seconds, the number of requests it made.
 */

const CONNECTIONS = 8;
const server = { url: process.argv[2] ?? '' };
let accounts = 0;

process.on('message', async ({ name, seconds }: { name: string; seconds: number }) => {
  const offences = await offencesAt(server, `offender-${accounts++}`);
  process.send?.({ ready: true });
  const end = Date.now() + seconds * 1_000;
  let made = 0;
  const connection = async () => {
    while (Date.now() < end) {
      await offences[name]?.();
      made += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  process.send?.({ made });
});
process.on('disconnect', () => process.exit());
process.send?.({ names: Object.keys(await offencesAt(server, 'offender')) });
