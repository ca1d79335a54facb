import { offencesAt } from './offences.ts';

/*
 * An offender in a process of its own, so that its work is not measured as waiting. Argument: the server's URL. Sends
 * the names of its offences; for each message with a name and seconds, the number of requests it made, and why others failed.
 */

const CONNECTIONS = 8;
const server = { url: process.argv[2] ?? '' };
let accounts = 0;

process.on('message', async ({ name, seconds }: { name: string; seconds: number }) => {
  const offences = await offencesAt(server, `offender-${accounts++}`);
  process.send?.({ ready: true });
  const end = Date.now() + seconds * 1_000;
  let made = 0;
  const failed: Record<string, number> = {};
  const connection = async () => {
    while (Date.now() < end) {
      // One failed request is no reason to end; what it says is printed.
      await offences[name]?.().then(
        () => (made += 1),
        (error: { code?: string; message?: string }) => {
          const reason = error.code ?? error.message ?? 'unknown';
          failed[reason] = (failed[reason] ?? 0) + 1;
        },
      );
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  process.send?.({ made, failed });
});
process.on('disconnect', () => process.exit());
process.send?.({ names: Object.keys(await offencesAt(server, 'offender')) });
