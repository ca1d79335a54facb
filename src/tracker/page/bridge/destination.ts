import * as z from 'zod/mini';

const destinationShape = z.object({
  issueKey: z.optional(z.string()),
  projectKey: z.optional(z.string()),
  moduleKey: z.optional(z.string()),
  userAccountId: z.optional(z.string()),
  addonKey: z.optional(z.string()),
  relativeUrl: z.optional(z.string()),
});

/** The address of a target of `AP.navigator.go`; `undefined` where this site has no such page. */
export function addressOf(target: unknown, details: unknown): string | undefined {
  const { data = {} } = destinationShape.safeParse(details);
  const issue = data.issueKey && encodeURIComponent(data.issueKey);
  const project = data.projectKey && encodeURIComponent(data.projectKey);
  const module = data.moduleKey && encodeURIComponent(data.moduleKey);
  const of = data.addonKey ? `?addonKey=${encodeURIComponent(data.addonKey)}` : '';
  switch (target) {
    case 'dashboard':
      return '/';
    case 'issue':
      return issue && `/browse/${issue}`;
    case 'userProfile':
      return data.userAccountId && `/jira/people/${encodeURIComponent(data.userAccountId)}`;
    case 'projectAdminSummary':
      return project && `/projects/${project}/settings`;
    case 'projectAdminTabPanel':
      return project && module && `/projects/${project}/settings/${module}${of}`;
    case 'addonModule':
      return module && `/plugins/${module}${of}`;
    case 'site':
      // Only this site: two slashes would leave it.
      return data.relativeUrl && /^\/(?![/\\])/.test(data.relativeUrl) ? data.relativeUrl : undefined;
    default:
      return undefined;
  }
}
