import type { Json } from './bridge.ts';
import { parseObject } from './json.ts';

/**
 * Events of one frame as they cross the host, which drops nulls and sends an event to all our frames, the one that emitted
 * it included: JSON with the frame's id.
 */
export function createEnvelope() {
  const frame = crypto.randomUUID();
  return {
    wrap: (data: Json): string => JSON.stringify({ frame, data }),
    /** Hands on what another frame has wrapped. */
    opened:
      (listener: (data: Json) => void) =>
      (payload: unknown): void => {
        const heard = parseObject(payload);
        if (heard?.data !== undefined && heard.frame !== frame) listener(heard.data);
      },
  };
}
