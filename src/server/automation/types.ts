import type { Webhook, WebhookCall, WebhookValues } from '../events/webhooks/records.ts';

/** A webhook for its administrators. */
export interface ListedWebhook extends Webhook {
  /** The address of an incoming one. */
  address: string | null;
}

/** Values of a change: `token` is empty to remove it. */
export interface WebhookInput extends WebhookValues {
  token?: string | undefined;
}

/** The webhooks after a change, and a new secret, which is shown once. */
export interface ChangedWebhooks {
  webhooks: ListedWebhook[];
  secret: string | null;
}

/** The webhooks of one tenant with the permissions of one account. Every refusal is a `Refused`. */
export interface Webhooks {
  /** All webhooks of the site, or the webhooks for exactly this project. */
  list(project?: string): Promise<ListedWebhook[]>;
  create(values: WebhookInput): Promise<ChangedWebhooks>;
  /**
   * Absent values stay, but an address of another server drops the token. `newSecret` replaces the secret; so do another
   * server, and turning a webhook on that has none.
   */
  update(id: string, values: Partial<WebhookInput>, newSecret: boolean): Promise<ChangedWebhooks>;
  remove(id: string): Promise<ListedWebhook[]>;
  /** Calls the receiver now; resolves with a message. */
  test(id: string): Promise<string>;
  /** The last calls. */
  calls(id: string): Promise<WebhookCall[]>;
}
