import { errorText } from '../log.ts';

/** The add-on's server did not answer. */
export class AddonUnreachable extends Error {
  override readonly name = 'AddonUnreachable';
}

const CALL_TIMEOUT_MS = 10_000;

export interface AddonAnswer {
  status: number;
  ok: boolean;
  headers: Headers;
  text: string;
}

/** A request to the add-on's server; resolves with any answer within `time` milliseconds. Throws `AddonUnreachable`. */
export async function ask(url: string, init: RequestInit = {}, time = CALL_TIMEOUT_MS): Promise<AddonAnswer> {
  try {
    const answer = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(time) });
    return { status: answer.status, ok: answer.ok, headers: answer.headers, text: await answer.text() };
  } catch (error) {
    throw new AddonUnreachable(errorText(error));
  }
}
