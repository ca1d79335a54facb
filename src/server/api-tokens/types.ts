import type { TokenScope } from '../../domain/api/operations.ts';

/** A token of the REST API without its secret. */
export interface ApiToken {
  id: string;
  name: string;
  scope: TokenScope;
  /** Ids of the projects that it is restricted to; empty for the whole site. */
  projects: string[];
  /** The account that created it. */
  account: string;
  created: Date;
  /** When it expires, if it does. */
  until: Date | null;
  /** When it was last used, to a minute. */
  used: Date | null;
}

export interface NewApiToken extends Pick<ApiToken, 'name' | 'scope' | 'until'> {
  projects: readonly string[];
}

/** The API tokens of one tenant, for its administrators. Every refusal is a `Refused`. */
export interface ApiTokens {
  /** Without revoked ones, by name. */
  list(): Promise<ApiToken[]>;
  /** `secret` is the whole token, which is not stored. */
  create(values: NewApiToken): Promise<{ token: ApiToken; secret: string }>;
  /** Resolves with the others. */
  revoke(id: string): Promise<ApiToken[]>;
}
