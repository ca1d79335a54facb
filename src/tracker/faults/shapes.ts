import * as z from 'zod';
import type { CallFault, Fault, TaskFault, WebhookFault } from '../wire.ts';

/** Bodies of the control API. */

const LONGEST = 600_000;
const pause = z.number().min(0).max(LONGEST).exactOptional();

const strikes = {
  match: z.string().min(1).refine(isPattern, 'Not a regular expression'),
  name: z.string().max(200).exactOptional(),
  chance: z.number().min(0).max(1).exactOptional(),
  seed: z.number().int().exactOptional(),
  times: z.number().int().min(1).exactOptional(),
  forMs: z.number().min(1).exactOptional(),
};

const callFault: z.ZodType<CallFault> = z.strictObject({
  ...strikes,
  by: z.enum(['addon', 'people']).exactOptional(),
  delayMs: pause,
  status: z.number().int().min(400).max(599).exactOptional(),
  retryAfter: z.number().min(0).exactOptional(),
  reason: z.string().exactOptional(),
  refuse: z.enum(['property', 'screen']).exactOptional(),
  lateMs: pause,
  cut: z.enum(['before', 'taken', 'after']).exactOptional(),
});

const webhookFault: z.ZodType<WebhookFault> = z.strictObject({
  ...strikes,
  webhook: z.enum(['late', 'overtaken', 'doubled', 'dropped']),
  delayMs: pause,
});

const taskFault: z.ZodType<TaskFault> = z.strictObject({
  ...strikes,
  task: z.enum(['late', 'failed']),
  delayMs: pause,
});

export const faultShape: z.ZodType<Fault> = z.union([callFault, webhookFault, taskFault]);

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
