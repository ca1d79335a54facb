import * as v from 'valibot';
import { readAs } from '../../../domain/shape.ts';

const destinationShape = v.object({
  issueKey: v.optional(v.string()),
  projectKey: v.optional(v.string()),
  moduleKey: v.optional(v.string()),
  userAccountId: v.optional(v.string()),
  addonKey: v.optional(v.string()),
  relativeUrl: v.optional(v.string()),
});

/** The address of a target of `AP.navigator.go`; `undefined` if this site has no such page. */
export function addressOf(target: unknown, details: unknown): string | undefined {
  const data = readAs(destinationShape, details) ?? {};
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
