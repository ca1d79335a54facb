import * as z from 'zod/mini';
import type {
  ConnectModule,
  ForgeModule,
  HostFault,
  HostInvoked,
  HostIssue,
  HostIssueLine,
  HostProject,
  HostQuota,
  HostState,
  HostUser,
} from '../../wire.ts';

/** Validation schemas of the wire types. */

const userShape: z.ZodMiniType<HostUser> = z.object({
  accountId: z.string(),
  displayName: z.string(),
  avatar: z.string(),
  role: z.string(),
});

const projectKind = z.enum(['software', 'service']);

const issueLine = {
  id: z.string(),
  key: z.string(),
  summary: z.string(),
  type: z.object({ name: z.string(), icon: z.string() }),
  status: z.object({ name: z.string(), color: z.string() }),
  parentKey: z.exactOptional(z.string()),
};
const issueLineShape: z.ZodMiniType<HostIssueLine> = z.object(issueLine);

const projectShape: z.ZodMiniType<HostProject> = z.object({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  kind: projectKind,
  issues: z.array(issueLineShape),
});

const installed = z.object({ state: z.literal('installed'), key: z.string(), name: z.string() });

export const stateShape: z.ZodMiniType<HostState> = z.object({
  site: z.string(),
  user: userShape,
  users: z.array(userShape),
  projects: z.array(projectShape),
  addons: z.array(z.union([installed, z.object({ state: z.enum(['failed', 'absent']), reason: z.string() })])),
  forge: z.exactOptional(z.union([installed, z.object({ state: z.literal('absent'), reason: z.string() })])),
});

export const issueShape: z.ZodMiniType<HostIssue> = z.object({
  ...issueLine,
  project: z.object({ id: z.string(), key: z.string(), name: z.string(), kind: projectKind }),
  description: z.string(),
  assignee: z.exactOptional(userShape),
  reporter: z.exactOptional(userShape),
  priority: z.exactOptional(z.object({ name: z.string(), icon: z.string() })),
  children: z.array(issueLineShape),
  checklistText: z.string(),
  mayEdit: z.boolean(),
  updated: z.string(),
  updatedBy: z.string(),
  transitions: z.array(z.object({ id: z.string(), name: z.string() })),
});

const entity = z.exactOptional(z.object({ id: z.string(), key: z.string() }));

/** Answer of `AP.context.getContext`; unknown members pass through. */
export const contextShape = z.looseObject({ jira: z.looseObject({ issue: entity, project: entity }) });

const placed = {
  addonKey: z.string(),
  key: z.string(),
  name: z.string(),
  icon: z.exactOptional(z.string()),
  label: z.exactOptional(z.string()),
  url: z.url(),
  contentPresent: z.boolean(),
};

const connectModule: z.ZodMiniType<ConnectModule> = z.object({
  ...placed,
  framework: z.literal('connect'),
  dialog: z.exactOptional(
    z.object({
      size: z.exactOptional(z.string()),
      width: z.exactOptional(z.string()),
      height: z.exactOptional(z.string()),
      chrome: z.boolean(),
    }),
  ),
  structuredContext: contextShape,
});

const forgeModule: z.ZodMiniType<ForgeModule> = z.object({
  ...placed,
  framework: z.literal('forge'),
  context: z.object({
    accountId: z.string(),
    cloudId: z.string(),
    siteUrl: z.string(),
    environmentId: z.string(),
    environmentType: z.string(),
    locale: z.string(),
    timezone: z.string(),
    moduleKey: z.string(),
    localId: z.string(),
    extension: z.record(z.string(), z.unknown()),
  }),
});

export const connectModules = z.array(connectModule);
export const forgeModules = z.array(forgeModule);

export const invokedShape: z.ZodMiniType<HostInvoked> = z.union([
  z.object({
    success: z.literal(true),
    payload: z.object({ status: z.number(), headers: z.record(z.string(), z.array(z.string())), body: z.unknown() }),
  }),
  z.object({ success: z.literal(false), error: z.object({ message: z.string() }) }),
]);

const strikes = {
  id: z.string(),
  struck: z.number(),
  match: z.string(),
  name: z.exactOptional(z.string()),
  chance: z.exactOptional(z.number()),
  seed: z.exactOptional(z.number()),
  times: z.exactOptional(z.number()),
  forMs: z.exactOptional(z.number()),
  delayMs: z.exactOptional(z.number()),
};

export const faultsShape: z.ZodMiniType<HostFault[]> = z.array(
  z.union([
    z.object({ ...strikes, webhook: z.enum(['late', 'overtaken', 'doubled', 'dropped']) }),
    z.object({ ...strikes, task: z.enum(['late', 'failed']) }),
    z.object({
      ...strikes,
      by: z.exactOptional(z.enum(['addon', 'people'])),
      status: z.exactOptional(z.number()),
      retryAfter: z.exactOptional(z.number()),
      reason: z.exactOptional(z.string()),
      refuse: z.exactOptional(z.enum(['property', 'screen'])),
      lateMs: z.exactOptional(z.number()),
      cut: z.exactOptional(z.enum(['before', 'taken', 'after'])),
    }),
  ]),
);

export const quotaShape: z.ZodMiniType<HostQuota> = z.object({
  limit: z.nullable(z.object({ points: z.number(), seconds: z.number(), beta: z.boolean() })),
  since: z.string(),
  ends: z.nullable(z.string()),
  apps: z.array(z.object({ key: z.string(), spent: z.number() })),
  ledger: z.array(
    z.object({
      app: z.string(),
      site: z.string(),
      call: z.string(),
      cause: z.nullable(z.string()),
      source: z.enum(['documented', 'reported', 'estimated']),
      calls: z.number(),
      points: z.number(),
      refused: z.number(),
    }),
  ),
});

/** The subject of a frame or page. */
export interface About {
  /** Its add-on; the first matching one unless given. */
  addonKey?: string;
  issueKey?: string;
  projectKey?: string;
}
