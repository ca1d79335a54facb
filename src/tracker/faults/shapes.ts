import * as v from 'valibot';
import type { CallFault, Fault, TaskFault, WebhookFault } from '../wire.ts';

/** Bodies of the control API. */

const LONGEST = 600_000;
const pause = v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(LONGEST)));

const strikes = {
  match: v.pipe(v.string(), v.minLength(1), v.check(isPattern, "This isn't a regular expression")),
  name: v.exactOptional(v.pipe(v.string(), v.maxLength(200))),
  chance: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  seed: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
  times: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  forMs: v.exactOptional(v.pipe(v.number(), v.finite(), v.minValue(1))),
};

const callFault: v.GenericSchema<unknown, CallFault> = v.strictObject({
  ...strikes,
  by: v.exactOptional(v.picklist(['addon', 'people'])),
  delayMs: pause,
  status: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(400), v.maxValue(599))),
  retryAfter: v.exactOptional(v.pipe(v.number(), v.finite(), v.minValue(0))),
  reason: v.exactOptional(v.string()),
  refuse: v.exactOptional(v.picklist(['property', 'screen'])),
  lateMs: pause,
  cut: v.exactOptional(v.picklist(['before', 'taken', 'after'])),
});

const webhookFault: v.GenericSchema<unknown, WebhookFault> = v.strictObject({
  ...strikes,
  webhook: v.picklist(['late', 'overtaken', 'doubled', 'dropped']),
  delayMs: pause,
});

const taskFault: v.GenericSchema<unknown, TaskFault> = v.strictObject({
  ...strikes,
  task: v.picklist(['late', 'failed']),
  delayMs: pause,
});

export const faultShape: v.GenericSchema<unknown, Fault> = v.union([callFault, webhookFault, taskFault]);

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
