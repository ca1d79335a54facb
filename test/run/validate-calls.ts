import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { knownDeviations } from './known-deviations.ts';
import { createValidator } from './openapi.ts';
import { callsFolder, type RecordedCall, vendorDocument } from './vendor-calls.ts';

/* Compares the recorded calls with the vendor's document. Exit code 1 for a deviation that is not listed with a reason. */

if (vendorDocument === undefined) {
  process.stdout.write('VENDOR_OPENAPI names no document: no call was compared.\n');
} else {
  const { check, deviations } = createValidator(JSON.parse(readFileSync(vendorDocument, 'utf8')));
  let calls = 0;
  for (const file of readdirSync(callsFolder)) {
    for (const line of readFileSync(join(callsFolder, file), 'utf8').split('\n').filter(Boolean)) {
      calls += 1;
      check(JSON.parse(line) as RecordedCall);
    }
  }
  const found = [...deviations].toSorted(([one], [other]) => one.localeCompare(other));
  const reasonOf = (deviation: string) => knownDeviations.find(({ pattern }) => pattern.test(deviation))?.reason;
  for (const [deviation, { count, example }] of found) {
    const reason = reasonOf(deviation);
    process.stdout.write(
      `${count} x ${deviation}\n  ${reason === undefined ? `such as ${example}` : `known: ${reason}`}\n`,
    );
  }
  const unknown = found.filter(([deviation]) => reasonOf(deviation) === undefined).length;
  process.stdout.write(`${calls} calls, ${found.length} kinds of deviations, ${unknown} of them without a reason.\n`);
  process.exitCode = unknown > 0 || calls === 0 ? 1 : 0;
}
