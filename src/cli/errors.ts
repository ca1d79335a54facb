/** The command line, a file named on it or what it holds is not as it must be: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A well-formed request that this text cannot fulfil: exit code 1. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
