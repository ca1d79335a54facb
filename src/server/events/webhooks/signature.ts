import { createHmac, timingSafeEqual } from 'node:crypto';
import { SIGNATURE_WINDOW_SECONDS } from '../../../domain/automation/webhooks.ts';

const digest = (secret: string, time: number, body: string | Uint8Array): Buffer =>
  createHmac('sha256', secret).update(`${time}.`).update(body).digest();

/** The signature of a body, with the seconds since the epoch at which it was made. */
export const sign = (secret: string, body: string | Uint8Array, time: number): string =>
  `t=${time},v1=${digest(secret, time, body).toString('hex')}`;

/** Compares secrets without a difference in time. */
export function sameSecret(one: string, other: string): boolean {
  const key = 'compare';
  const [a, b] = [one, other].map(each => createHmac('sha256', key).update(each).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

// One way to write each time: a signature that is written in another way would be another call.
const format = /^t=([1-9]\d{0,11}),v1=([0-9a-f]{64})$/;

/** Whether a signature is that of the body, and its time within the window of `now` (milliseconds). */
export function isSigned(signature: string, secret: string, body: Uint8Array, now: number): boolean {
  const [, time = '', mac = ''] = format.exec(signature) ?? [];
  if (mac === '' || Math.abs(now / 1000 - Number(time)) > SIGNATURE_WINDOW_SECONDS) return false;
  return timingSafeEqual(Buffer.from(mac, 'hex'), digest(secret, Number(time), body));
}
