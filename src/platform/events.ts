/** A change in the tracker that the product hears of: Connect's webhook and Forge's event of the same meaning. */
interface HeardEvent {
  webhook: string;
  /** Our route for the webhook. */
  path: string;
  /** Whether the webhook brings its body: what changed in the issue. */
  body: boolean;
  event: string;
  /** Whether Forge also tells of changes by the app itself: issues that it made must meet rules, own properties are echoes. */
  own: boolean;
}

/**
 * The two events of properties are in the vendor's table of events (`@forge/manifest`), not on its documentation's pages;
 * a misspelt event is deployed in silence.
 */
export const heardEvents: readonly HeardEvent[] = [
  {
    webhook: 'jira:issue_created',
    path: '/webhooks/issue-created',
    body: false,
    event: 'avi:jira:created:issue',
    own: true,
  },
  {
    webhook: 'jira:issue_updated',
    path: '/webhooks/issue-updated',
    body: true,
    event: 'avi:jira:updated:issue',
    own: true,
  },
  {
    webhook: 'jira:issue_deleted',
    path: '/webhooks/issue-deleted',
    body: false,
    event: 'avi:jira:deleted:issue',
    own: true,
  },
  {
    webhook: 'issue_property_set',
    path: '/webhooks/issue-property',
    body: false,
    event: 'avi:jira:set:issue-property',
    own: false,
  },
  {
    webhook: 'issue_property_deleted',
    path: '/webhooks/issue-property',
    body: false,
    event: 'avi:jira:deleted:issue-property',
    own: false,
  },
];

/** Forge tells of these at our lifecycle route. Their documented bodies do not say which of them it is. */
export const lifecycleEvents: readonly string[] = ['avi:forge:installed:app', 'avi:forge:upgraded:app'];

/** Our routes that Forge calls by itself. */
export const forgeRoutes = {
  lifecycle: '/forge/lifecycle',
  uninstall: '/forge/uninstall',
  events: '/forge/events',
  tick: '/forge/tick',
} as const;
