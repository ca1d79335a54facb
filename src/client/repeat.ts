import { HostUnreachable } from '../bridge/bridge.ts';
import { MutationRefused, ServerError } from './errors.ts';

/** Milliseconds before what may be lost is sent again, each time. */
const PAUSES = [1_000, 3_000];

/** Nobody knows what became of it: our server did not answer, something else did, or the tracker did not answer it. */
const lost = (error: unknown): boolean =>
  error instanceof HostUnreachable ||
  (error instanceof ServerError && [502, 503, 504].includes(error.status)) ||
  (error instanceof MutationRefused && error.code === 'TRACKER_UNAVAILABLE');

/** Sends a mutation, a few times where its answer is lost. Under one client id the server applies it once. */
export async function repeated<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (const pause of PAUSES) {
    try {
      return await send();
    } catch (error) {
      if (!lost(error)) throw error;
    }
    await new Promise(resolve => setTimeout(resolve, pause));
  }
  return send();
}
