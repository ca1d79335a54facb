import { clock, type Sample } from './figures.ts';
import { memoryOf, type Running } from './programs.ts';
import { type BenchUser, signIn } from './users.ts';

const open = ({ url }: Running, token: string, issues: readonly string[], signal: AbortSignal): Promise<Response> =>
  fetch(`${url}/api/live`, {
    method: 'POST',
    headers: { authorization: `JWT ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ issues }),
    signal,
  });

/** Milliseconds after which a missing event counts as lost. */
const LONGEST = 5_000;

/** Times from each change until a stream at another process sends it. */
export async function streamDelays(writer: BenchUser, there: Running, rounds: number): Promise<Sample[]> {
  const { issue } = writer;
  const { token } = await signIn(there, 'reader');
  const stop = new AbortController();
  const { body } = await open(there, token, [issue], stop.signal);
  if (!body) throw new Error('No stream.');
  let onChange = () => {};
  const listening = (async () => {
    const decoder = new TextDecoder();
    for await (const piece of body) if (decoder.decode(piece, { stream: true }).includes('"checklist"')) onChange();
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round++) {
    const from = clock();
    const changed = new Promise<number>((resolve, reject) => {
      const lost = setTimeout(() => reject(new Error('A change was not told.')), LONGEST);
      onChange = () => {
        clearTimeout(lost);
        resolve(clock());
      };
    });
    const [to] = await Promise.all([changed, writer.tick()]);
    samples.push({ issue, from, to });
  }
  stop.abort();
  await listening;
  return samples;
}

/** Streams per account (src/server/http/live/stream.ts); no more than that are opened at once. */
const EACH = 10;

/** Bytes of memory per open stream. */
export async function streamMemory(server: Running, count: number): Promise<number> {
  const stop = new AbortController();
  const add = async (from: number, to: number) => {
    for (let index = from; index < to; index += EACH) {
      const { token } = await signIn(server, `stream-${index}`);
      await Promise.all(Array.from({ length: EACH }, () => open(server, token, [], stop.signal)));
    }
  };
  // The first streams allocate what all share.
  await add(0, 100);
  const before = await memoryOf(server);
  await add(100, 100 + count);
  const memory = await memoryOf(server);
  stop.abort();
  return (memory - before) / count;
}
