import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/*
 * Loaded into a measured server: the processor time of its main thread in each turn of the event loop, which other
 * programs on the machine do not add to. `/start` begins, `/stop` responds with the longest turn and the sum in
 * milliseconds. Linux only. While it measures, the loop does not rest.
 */

const NANOSECONDS = 1e6;
const used = () => Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ', 1)[0]) / NANOSECONDS;

let [isOn, last, longest, sum] = [false, 0, 0, 0];
/** Processor time of a turn without work. */
const REST = 0.1;

function turn() {
  if (!isOn) return;
  const now = used();
  longest = Math.max(longest, now - last);
  if (now - last > REST) sum += now - last;
  last = now;
  setImmediate(turn);
}

const answers = {
  '/start'() {
    [isOn, last, longest, sum] = [true, used(), 0, 0];
    setImmediate(turn);
    return {};
  },
  '/stop'() {
    isOn = false;
    return { longest, sum };
  },
};

const { METER_PORT } = process.env;
if (METER_PORT)
  createServer((request, response) => response.end(JSON.stringify(answers[request.url]?.() ?? null)))
    .listen(Number(METER_PORT), '127.0.0.1')
    .unref();
