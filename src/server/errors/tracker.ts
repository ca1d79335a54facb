/** The tracker did not answer, was too busy or failed, again and again. */
export class TrackerUnavailable extends Error {
  override readonly name: string = 'TrackerUnavailable';
  /** Milliseconds for which the tracker wants to be left alone, where it says so. */
  readonly retryAfter: number | undefined;
  /** The call surely took no effect: it was not made, or refused as one too many. Otherwise that is open. */
  readonly isUndone: boolean;

  constructor(message: string, retryAfter?: number, isUndone = false) {
    super(message);
    this.retryAfter = retryAfter;
    this.isUndone = isUndone;
  }
}

/**
 * The call was not made, or surely had no effect: it waits for the hour's points, a limit that the tracker told, or a good
 * token.
 */
export class TrackerDeferred extends TrackerUnavailable {
  override readonly name: string = 'TrackerDeferred';

  constructor(message: string, retryAfter?: number) {
    super(message, retryAfter, true);
  }
}

/** The gateway refused the app's token: another one has to come. */
export class TokenRefused extends TrackerDeferred {
  override readonly name = 'TokenRefused';
}

/** The platform gives no token for this account: nothing can be asked in its name. */
export class NoAsker extends TrackerDeferred {
  override readonly name = 'NoAsker';
}

/** The answer that a call did not expect, with nothing of its body but what the caller looked for. */
export class TrackerRefused extends Error {
  override readonly name = 'TrackerRefused';
  readonly status: number;
  readonly body: unknown;

  constructor(call: string, { status, body }: { status: number; body: unknown }) {
    super(`The tracker answered ${status} to ${call}.`);
    this.status = status;
    this.body = body;
  }
}
