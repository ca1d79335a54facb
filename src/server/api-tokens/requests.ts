import { createHash } from 'node:crypto';
import { api } from '../../domain/messages.ts';
import { Refused } from '../errors/refused.ts';
import type { Store } from '../store/store.ts';
import { dropRequests, noteRequest } from './records.ts';
import type { ApiCaller } from './verify.ts';

/** The requests of API tokens with an idempotency key. */
export interface RequestLog {
  /**
   * Resolves with the client id of a request, the same for the same key and request. Rejects with `KEY_REUSED` if the
   * token has used the key for another request, within the last days.
   */
  claim(caller: Pick<ApiCaller, 'tenant' | 'token'>, key: string, request: unknown): Promise<string>;
}

/** The fingerprint in a client id keeps another request from having the client id of a dropped key. */
const FINGERPRINT_CHARS = 16;

export const createRequestLog = (store: Pick<Store, 'batch'>): RequestLog => ({
  async claim({ tenant: { id: tenant }, token }, key, request) {
    const fingerprint = createHash('sha256').update(JSON.stringify(request)).digest('hex');
    const [, noted] = await store.batch(tenant, [
      dropRequests({ tenant }),
      noteRequest({ tenant, token, key, fingerprint }),
    ]);
    if (noted.rows[0]?.fingerprint !== fingerprint) {
      throw new Refused('KEY_REUSED', api.keyReused, 'Idempotency-Key');
    }
    return `${key}:${fingerprint.slice(0, FINGERPRINT_CHARS)}`;
  },
});
