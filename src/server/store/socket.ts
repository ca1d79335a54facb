import { Socket } from 'node:net';

type Done = (error?: Error | null) => void;

/** A socket that sends together what is written within one turn: each sending is a call of the operating system. */
export class TurnSocket extends Socket {
  /** Writings of this turn. */
  private written = 0;

  constructor() {
    super();
    // Not an override: connecting puts the usual method in its place.
    this.once('connect', () => {
      this.write = this.gather;
    });
  }

  private gather(chunk: Uint8Array | string, done?: Done): boolean;
  private gather(chunk: Uint8Array | string, encoding?: BufferEncoding, done?: Done): boolean;
  private gather(chunk: Uint8Array | string, encoding?: BufferEncoding | Done, done?: Done): boolean {
    this.written += 1;
    if (this.written === 1) {
      this.cork();
      process.nextTick(() => {
        this.written = 0;
        this.uncork();
      });
    }
    return typeof encoding === 'function' ? super.write(chunk, encoding) : super.write(chunk, encoding, done);
  }
}
