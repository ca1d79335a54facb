import type { Gadget, Issue, Project, WorkflowRule } from '../site/model.ts';
import type { Descriptor } from './descriptor.ts';
import { type Shared, signRequest } from './tokens.ts';

/** The subject of a frame. */
export interface FrameContext {
  issue?: Issue | undefined;
  project?: Project | undefined;
  /** Of a page that configures one. */
  rule?: WorkflowRule | undefined;
  /** On the user's dashboard. */
  gadget?: Gadget | undefined;
}

/** The one dashboard of each user. */
export const DASHBOARD = '10000';

/** Fills `{issue.key}` and the like; missing values become empty. */
export function fillVariables(
  url: string,
  { issue, project, rule, gadget }: FrameContext,
  more: Record<string, string> = {},
): string {
  const values: Record<string, string | undefined> = {
    'issue.id': issue?.id,
    'issue.key': issue?.key,
    'issuetype.id': issue?.typeId,
    'project.id': project?.id,
    'project.key': project?.key,
    'dashboard.id': gadget && DASHBOARD,
    'dashboardItem.id': gadget?.id,
    'dashboardItem.key': gadget?.moduleKey,
    'dashboardItem.viewType': gadget ? 'default' : 'directory',
    'validator.id': rule?.id,
    'validator.config': rule?.config,
    'condition.id': rule?.id,
    'condition.config': rule?.config,
    ...more,
  };
  return url.replace(/\{([\w.]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

/** The signed address of an add-on's page for a user, valid for three minutes. */
export async function frameUrl(
  { descriptor, shared, siteUrl }: { descriptor: Descriptor; shared: Shared; siteUrl: string },
  module: { key: string; url: string },
  accountId: string,
  context: FrameContext,
): Promise<string> {
  const url = new URL(`${descriptor.baseUrl}${fillVariables(module.url, context)}`);
  const parameters = {
    xdm_e: siteUrl,
    xdm_c: `channel-${descriptor.key}__${module.key}`,
    cp: '',
    lic: descriptor.enableLicensing ? 'active' : 'none',
    cv: descriptor.version ?? '',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, value);
  const basePath = basePathOf(descriptor);
  const jwt = await signRequest(shared, { method: 'GET', url: `${url.pathname}${url.search}`, basePath, accountId });
  url.searchParams.append('jwt', jwt);
  return url.href;
}

/** The path of the add-on's base URL, without a trailing slash: hashes count from there. */
export const basePathOf = (descriptor: Descriptor): string => new URL(descriptor.baseUrl).pathname.replace(/\/$/, '');

/** The claims of a context token. */
export const contextClaims = (descriptor: Descriptor, { issue, project }: FrameContext) => ({
  ...(descriptor.enableLicensing && { license: { active: true } }),
  jira: {
    ...(issue && { issue: { id: issue.id, key: issue.key, issuetype: { id: issue.typeId } } }),
    ...(project && { project: { id: project.id, key: project.key } }),
  },
});
