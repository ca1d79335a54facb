/** A tracker event to which the app subscribes: Connect's webhook and the corresponding event of Forge. */
interface SubscribedEvent {
  webhook: string;
  /** The app's route for the webhook. */
  path: string;
  /** Whether the webhook brings its body: what changed in the issue. */
  body: boolean;
  /** Whether it is about a property, whose key the webhook's address gets. */
  ofProperty?: true;
  event: string;
  /**
   * Whether Forge also sends changes made by the app itself: issues that it created must meet rules, own property
   * writes are echoes.
   */
  own: boolean;
}

/**
 * The two events of properties are in the vendor's table of events (`@forge/manifest`), not in its documentation; a
 * misspelt event is deployed without an error.
 */
export const subscribedEvents: readonly SubscribedEvent[] = [
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
    ofProperty: true,
    event: 'avi:jira:set:issue-property',
    own: false,
  },
  {
    webhook: 'issue_property_deleted',
    path: '/webhooks/issue-property',
    body: false,
    ofProperty: true,
    event: 'avi:jira:deleted:issue-property',
    own: false,
  },
];

/** Events sent to the lifecycle route. Their documented bodies do not name the event. */
export const lifecycleEvents: readonly string[] = ['avi:forge:installed:app', 'avi:forge:upgraded:app'];

/** Routes called by Forge. */
export const forgeRoutes = {
  lifecycle: '/forge/lifecycle',
  uninstall: '/forge/uninstall',
  events: '/forge/events',
  tick: '/forge/tick',
} as const;
