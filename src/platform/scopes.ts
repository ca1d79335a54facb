/** Whether a site may have had the Connect add-on before, whose data and identities the Forge app keeps. */
export type Past = 'connect' | 'none';

interface Use {
  /** Calls of the server, as the app or as an asker, by their names in `src/server/quota/costs.ts`. */
  server: readonly string[];
  /** Calls of pages through the bridge, as the user: method and path, `{}` for a variable part. */
  pages: readonly string[];
  /** Whether the app may impersonate an absent user, to check their permissions. */
  away?: true;
  /** The scope is needed only for sites with this past. */
  past?: Past;
}

/**
 * The least scopes for the calls, by the vendor's REST documentation. Adding or removing one later is a major version,
 * which every site's administrators have to approve. The two that pass tokens to the app's server stand for no calls.
 */
export const scopes = {
  'read:jira-work': {
    server: [
      'checkPermissions',
      'countIssues',
      // The issue of a portal's request, by its key.
      'findIssue',
      'findProject',
      'listFields',
      'listProjects',
      'readChangelog',
      'readChangelogs',
      'readIssue',
      'readIssues',
      'readDone',
      'readFieldMove',
      'readKey',
      'readLines',
      'readLinkTypes',
      'readMark',
      'readProject',
      'readSource',
      'readIssueHistory',
      'readTypes',
      'searchIssues',
    ],
    pages: [
      'GET /rest/api/2/issue/{}',
      'GET /rest/api/2/issue/picker',
      'GET /rest/api/2/mypermissions',
      'GET /rest/api/2/project/search',
      'GET /rest/api/2/project/{}',
      'GET /rest/api/3/field',
      // The badge of Connect's context panel.
      'GET /rest/api/3/issue/{}/properties/{}',
      'GET /rest/api/3/issue/{}/transitions',
      'GET /rest/api/3/issuetype',
      'GET /rest/api/3/project/{}/statuses',
      'GET /rest/api/3/search/jql',
      'GET /rest/api/3/status',
      'POST /rest/api/3/issue/bulkfetch',
    ],
    away: true,
  },
  'write:jira-work': {
    server: ['makeIssue', 'sendNotification', 'swapProperty', 'writeField', 'writeProperty'],
    pages: [
      'DELETE /rest/api/3/issue/{}/properties/{}',
      'PUT /rest/api/2/user/properties/{}',
      'PUT /rest/api/3/issue/{}/properties/{}',
    ],
  },
  'read:jira-user': {
    server: ['findHolders', 'readMyself', 'readNames'],
    pages: [
      'GET /rest/api/2/myself',
      'GET /rest/api/2/user/properties',
      'GET /rest/api/2/user/properties/{}',
      'GET /rest/api/3/user/bulk',
      'GET /rest/api/3/user/picker',
    ],
  },
  // For the keys of the app's own permissions, which only the site knows. For `permissions/check` the documentation
  // names this scope, `read:jira-work` and none in three places; without both, a refusal would last until a major
  // version is approved.
  'read:permission:jira': {
    server: ['checkPermissions', 'readPermissions'],
    pages: ['POST /rest/api/3/permissions/check'],
    away: true,
  },
  'manage:jira-project': { server: ['writeProjectProperty'], pages: [] },
  // Pins the issue panel in projects, as the site's administrator who chose that position; the app's own workflow rules,
  // and which workflows a project has.
  'manage:jira-configuration': {
    server: ['readWorkflowRules', 'readWorkflowScheme'],
    pages: ['POST /rest/api/3/forge/panel/action/bulk/async'],
  },
  'read:servicedesk-request': { server: [], pages: ['GET /rest/servicedeskapi/request/{}'] },
  'report:personal-data': { server: ['reportAccounts'], pages: [] },
  'read:app-system-token': { server: [], pages: [] },
  'read:app-user-token': { server: [], pages: [] },
  // The reserved property of the Connect add-on that holds the site's client key.
  'read:app-data:jira': {
    server: ['readClientKey'],
    pages: [],
    past: 'connect',
  },
} satisfies Record<string, Use>;

/** As the manifest has them. */
export const scopesOf = (past: Past): Record<string, { allowImpersonation?: true }> =>
  Object.fromEntries(
    Object.entries<Use>(scopes)
      .filter(([, use]) => use.past === undefined || use.past === past)
      .map(([scope, { away }]) => [scope, { ...(away && { allowImpersonation: true as const }) }]),
  );
