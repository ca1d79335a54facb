import type { Json } from './bridge.ts';
import { parseObject } from './json.ts';

/**
 * Wraps events between frames as JSON with the frame's id: the host drops nulls and sends an event to all frames, the
 * sender included.
 */
export function createEnvelope() {
  const frame = crypto.randomUUID();
  return {
    wrap: (data: Json): string => JSON.stringify({ frame, data }),
    /** Passes on events of other frames. */
    opened:
      (listener: (data: Json) => void) =>
      (payload: unknown): void => {
        const envelope = parseObject(payload);
        if (envelope?.data !== undefined && envelope.frame !== frame) listener(envelope.data);
      },
  };
}
