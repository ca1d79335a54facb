/** Milliseconds. */
const RECOVER = 10 * 60_000;
const PRUNE = 24 * 60 * 60_000;

/**
 * Takes up what was left open, now and then, and drops old history once a day. Returns the function that stops it and
 * resolves when nothing of it runs.
 */
export function startTending(
  { recover, prune }: { recover(): Promise<void>; prune(): Promise<void> },
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const then = (work: () => Promise<void>) => {
    running = running.then(work).catch(onError);
  };
  const timers = [setInterval(then, RECOVER, recover), setInterval(then, PRUNE, prune)];
  then(recover);
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await running;
  };
}
