import type { About } from '../data/queries.ts';

/** Screens without parameters, whose paths are their names. */
const plain = ['apps', 'dashboard', 'faults', 'quota', 'outbox', 'automation'] as const;
type Plain = (typeof plain)[number];

export type Route =
  | { screen: 'home' }
  | { screen: Plain }
  | { screen: 'issue' | 'portal' | 'mobile'; issueKey: string }
  | { screen: 'workflow' | 'board' | 'issues'; projectKey: string }
  | { screen: 'settings'; projectKey: string; tab: string | undefined; addonKey: string | undefined }
  | { screen: 'page'; place: 'general' | 'project-page'; moduleKey: string; about: About }
  | { screen: 'admin'; moduleKey: string; about: About }
  | { screen: 'person'; accountId: string }
  | { screen: 'missing' };

const parts = (pathname: string): string[] | undefined => {
  try {
    return pathname.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    // A stray percent sign.
    return undefined;
  }
};

/** The screen of an address. */
export function routeOf({ pathname, searchParams }: URL): Route {
  const [first, second, third, fourth, ...rest] = parts(pathname) ?? ['?'];
  // Frames link the platform's own page.
  if (pathname.startsWith('/plugins/servlet/project-config/') && fourth !== undefined && rest.join('/') === 'workflows')
    return { screen: 'workflow', projectKey: fourth };
  if (rest.length) return { screen: 'missing' };
  if (first === undefined) return { screen: 'home' };
  const screen = plain.find(name => name === first);
  if (screen && second === undefined) return { screen };
  if (first === 'projects' && second !== undefined && third === 'settings') {
    return { screen: 'settings', projectKey: second, tab: fourth, addonKey: aboutOf(searchParams).addonKey };
  }
  if (
    first === 'projects' &&
    second !== undefined &&
    (third === 'workflow' || third === 'board' || third === 'issues') &&
    fourth === undefined
  ) {
    return { screen: third, projectKey: second };
  }
  if (first === 'jira' && second === 'people' && third !== undefined && fourth === undefined) {
    return { screen: 'person', accountId: third };
  }
  if (first === 'projects' && second !== undefined && third === 'apps' && fourth !== undefined) {
    return {
      screen: 'page',
      place: 'project-page',
      moduleKey: fourth,
      about: { ...aboutOf(searchParams), projectKey: second },
    };
  }
  if (second === undefined || third !== undefined) return { screen: 'missing' };
  switch (first) {
    case 'browse':
      return { screen: 'issue', issueKey: second };
    case 'portal':
      return { screen: 'portal', issueKey: second };
    case 'mobile':
      return { screen: 'mobile', issueKey: second };
    case 'plugins':
      return { screen: 'page', place: 'general', moduleKey: second, about: aboutOf(searchParams) };
    case 'admin':
      return { screen: 'admin', moduleKey: second, about: aboutOf(searchParams) };
    default:
      return { screen: 'missing' };
  }
}

function aboutOf(parameters: URLSearchParams): About {
  const issueKey = parameters.get('issueKey');
  const projectKey = parameters.get('projectKey');
  const addonKey = parameters.get('addonKey');
  return { ...(addonKey && { addonKey }), ...(issueKey && { issueKey }), ...(projectKey && { projectKey }) };
}
