/** A message over a port, in the vendor's format: a call of the other side's function, or its answer. */
type Message =
  | { id: number; to: number; args: unknown[] }
  | { id: number; answer: unknown }
  | { id: number; error: string };

type Callable = (...args: unknown[]) => unknown;

/**
 * Calls over a port with functions as arguments and results, in both directions. They cross by number; `undefined` and
 * symbols get lost as they do in JSON, and of an error its message stays. `local` is what the other side's calls reach;
 * the result reaches theirs. Also runs in the frame as source text (global-bridge.ts), so it must not refer to anything
 * else in this file.
 */
export function rpc(port: MessagePort, local: Callable): (...args: unknown[]) => Promise<unknown> {
  let last = 0;
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  const functions = new Map<number, Callable>([[0, local]]);

  function pack(value: unknown): unknown {
    if (typeof value === 'function') {
      last += 1;
      functions.set(last, value as Callable);
      return { $function: last };
    }
    if (typeof value === 'symbol') return undefined;
    return walk(value, pack);
  }

  function unpack(value: unknown): unknown {
    const to = typeof value === 'object' && value !== null && '$function' in value ? value.$function : undefined;
    return typeof to === 'number' ? (...args: unknown[]) => call(to, args) : walk(value, unpack);
  }

  function walk(value: unknown, change: (entry: unknown) => unknown): unknown {
    if (Array.isArray(value)) return value.map(entry => change(entry) ?? null);
    if (typeof value !== 'object' || value === null) return value;
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return value;
    const members = Object.entries(value).map(([name, entry]) => [name, change(entry)] as const);
    return Object.fromEntries(members.filter(([, entry]) => entry !== undefined));
  }

  const call = (to: number, args: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      send({ id: last, to, args: args.map(pack) });
    });

  async function answer(id: number, to: number, args: unknown[]): Promise<void> {
    try {
      send({ id, answer: pack(await functions.get(to)?.(...args.map(unpack))) });
    } catch (error) {
      send({ id, error: error instanceof Error ? error.message : String(error) });
    }
  }

  const send = (message: Message) => port.postMessage(message);
  port.onmessage = ({ data }: MessageEvent<Message>) => {
    if ('args' in data) {
      void answer(data.id, data.to, data.args);
      return;
    }
    const caller = waiting.get(data.id);
    waiting.delete(data.id);
    if ('error' in data) caller?.reject(new Error(data.error));
    else caller?.resolve(unpack(data.answer));
  };
  return (...args) => call(0, args);
}
