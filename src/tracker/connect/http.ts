import { errorText } from '../log.ts';

/** The add-on's server gave no answer. */
export class AddonUnreachable extends Error {
  override readonly name = 'AddonUnreachable';
}

const TIMEOUT = 10_000;

/** A request to the add-on's server, whatever its answer. Throws `AddonUnreachable`. */
export async function ask(url: string, init: RequestInit = {}): Promise<{ status: number; ok: boolean; text: string }> {
  try {
    const answer = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) });
    return { status: answer.status, ok: answer.ok, text: await answer.text() };
  } catch (error) {
    throw new AddonUnreachable(errorText(error));
  }
}
