import { clock, type Sample } from './figures.ts';
import { type Person, somebody } from './users.ts';
import { memoryOf, type Running } from './programs.ts';

const open = ({ url }: Running, token: string, issues: readonly string[], signal: AbortSignal): Promise<Response> =>
  fetch(`${url}/api/live`, {
    method: 'POST',
    headers: { authorization: `JWT ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ issues }),
    signal,
  });

/** Milliseconds after which something that should have been told counts as lost. */
const LONGEST = 5_000;

/** From the start of each change until a stream at another process tells of it. */
export async function untilTold(writer: Person, there: Running, rounds: number): Promise<Sample[]> {
  const { issue } = writer;
  const { token } = await somebody(there, 'reader');
  const stop = new AbortController();
  const { body } = await open(there, token, [issue], stop.signal);
  if (!body) throw new Error('No stream.');
  let hear = () => {};
  const listening = (async () => {
    const decoder = new TextDecoder();
    for await (const piece of body) if (decoder.decode(piece, { stream: true }).includes('"checklist"')) hear();
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round++) {
    const from = clock();
    const heard = new Promise<number>((resolve, reject) => {
      const lost = setTimeout(() => reject(new Error('A change was not told.')), LONGEST);
      hear = () => {
        clearTimeout(lost);
        resolve(clock());
      };
    });
    const [to] = await Promise.all([heard, writer.tick()]);
    samples.push({ issue, from, to });
  }
  stop.abort();
  await listening;
  return samples;
}

/** Streams that one account may have open (src/server/live/stream.ts), and no more than that at once. */
const EACH = 10;

/** Bytes of memory that each of so many open streams takes. */
export async function streamMemory(server: Running, count: number): Promise<number> {
  const stop = new AbortController();
  const add = async (from: number, to: number) => {
    for (let index = from; index < to; index += EACH) {
      const { token } = await somebody(server, `stream-${index}`);
      await Promise.all(Array.from({ length: EACH }, () => open(server, token, [], stop.signal)));
    }
  };
  // The first ones bring what the others share.
  await add(0, 100);
  const before = await memoryOf(server);
  await add(100, 100 + count);
  const memory = await memoryOf(server);
  stop.abort();
  return (memory - before) / count;
}
