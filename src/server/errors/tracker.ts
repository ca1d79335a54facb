/** The tracker did not answer, was too busy or failed, after all retries. */
export class TrackerUnavailable extends Error {
  override readonly name: string = 'TrackerUnavailable';
  /** Milliseconds from the tracker's Retry-After, if any. */
  readonly retryAfter: number | undefined;
  /** Whether the call surely had no effect: it was not made, or was rate limited. Otherwise its effect is unknown. */
  readonly isUndone: boolean;

  /** Whether the tracker's limit of calls is the reason: it is not down. */
  readonly isLimited: boolean;

  constructor(message: string, retryAfter?: number, isUndone = false, isLimited = false) {
    super(message);
    this.retryAfter = retryAfter;
    this.isUndone = isUndone;
    this.isLimited = isLimited;
  }
}

/**
 * The call was not made, or surely had no effect: it has to wait for the hour's points, the tracker's rate limit, or a
 * valid token.
 */
export class TrackerDeferred extends TrackerUnavailable {
  override readonly name: string = 'TrackerDeferred';

  constructor(message: string, retryAfter?: number, isLimited = false) {
    super(message, retryAfter, true, isLimited);
  }
}

/** The gateway refused the app's token; a new one is needed. */
export class TokenRefused extends TrackerDeferred {
  override readonly name = 'TokenRefused';
}

/** The platform gives no token for this account, so that no call can be made for it. */
export class NoAsker extends TrackerDeferred {
  override readonly name = 'NoAsker';
}

/** An unexpected answer to a call. `body` holds only the parts that the caller reads. */
export class TrackerRefused extends Error {
  override readonly name = 'TrackerRefused';
  /** The call's name. */
  readonly call: string;
  readonly status: number;
  readonly body: unknown;

  constructor(call: string, { status, body }: { status: number; body: unknown }) {
    super(`The tracker answered ${status} to ${call}.`);
    this.call = call;
    this.status = status;
    this.body = body;
  }
}
