import * as v from 'valibot';
import type {
  ConnectModule,
  ForgeModule,
  HostAutomationAnswer,
  HostFault,
  HostGadgets,
  HostInvoked,
  HostIssue,
  HostIssueLine,
  HostOutbox,
  HostProject,
  HostQuota,
  HostState,
  HostUser,
  HostWorkflow,
} from '../../wire.ts';

/** Validation schemas of the wire types. */

const userShape: v.GenericSchema<unknown, HostUser> = v.object({
  accountId: v.string(),
  displayName: v.string(),
  avatar: v.string(),
  role: v.string(),
});

const projectKind = v.picklist(['software', 'service']);

const issueLine = {
  id: v.string(),
  key: v.string(),
  summary: v.string(),
  type: v.object({ name: v.string(), icon: v.string() }),
  status: v.object({ name: v.string(), color: v.string() }),
  fields: v.array(v.object({ name: v.string(), value: v.string() })),
  parentKey: v.exactOptional(v.string()),
};
const issueLineShape: v.GenericSchema<unknown, HostIssueLine> = v.object(issueLine);

const projectShape: v.GenericSchema<unknown, HostProject> = v.object({
  id: v.string(),
  key: v.string(),
  name: v.string(),
  kind: projectKind,
  issues: v.array(issueLineShape),
});

const installed = v.object({ state: v.literal('installed'), key: v.string(), name: v.string() });

export const stateShape: v.GenericSchema<unknown, HostState> = v.object({
  site: v.string(),
  user: userShape,
  users: v.array(userShape),
  projects: v.array(projectShape),
  addons: v.array(v.union([installed, v.object({ state: v.picklist(['failed', 'absent']), reason: v.string() })])),
  forge: v.exactOptional(v.union([installed, v.object({ state: v.literal('absent'), reason: v.string() })])),
});

export const issueShape: v.GenericSchema<unknown, HostIssue> = v.object({
  ...issueLine,
  project: v.object({ id: v.string(), key: v.string(), name: v.string(), kind: projectKind }),
  description: v.string(),
  assignee: v.exactOptional(userShape),
  reporter: v.exactOptional(userShape),
  priority: v.exactOptional(v.object({ name: v.string(), icon: v.string() })),
  children: v.array(issueLineShape),
  checklistText: v.string(),
  mayEdit: v.boolean(),
  updated: v.string(),
  updatedBy: v.string(),
  transitions: v.array(v.object({ id: v.string(), name: v.string() })),
});

const entity = v.exactOptional(v.object({ id: v.string(), key: v.string() }));

/** Answer of `AP.context.getContext`; unknown members pass through. */
export const contextShape = v.looseObject({ jira: v.looseObject({ issue: entity, project: entity }) });

const placed = {
  addonKey: v.string(),
  key: v.string(),
  name: v.string(),
  icon: v.exactOptional(v.string()),
  label: v.exactOptional(v.string()),
  url: v.pipe(v.string(), v.url()),
  rule: v.exactOptional(v.object({ kind: v.picklist(['validator', 'condition']), description: v.string() })),
  contentPresent: v.boolean(),
};

const connectModule: v.GenericSchema<unknown, ConnectModule> = v.object({
  ...placed,
  framework: v.literal('connect'),
  dialog: v.exactOptional(
    v.object({
      size: v.exactOptional(v.string()),
      width: v.exactOptional(v.string()),
      height: v.exactOptional(v.string()),
      chrome: v.boolean(),
    }),
  ),
  structuredContext: contextShape,
});

const forgeModule: v.GenericSchema<unknown, ForgeModule> = v.object({
  ...placed,
  framework: v.literal('forge'),
  context: v.object({
    accountId: v.string(),
    cloudId: v.string(),
    siteUrl: v.string(),
    environmentId: v.string(),
    environmentType: v.string(),
    locale: v.string(),
    timezone: v.string(),
    moduleKey: v.string(),
    localId: v.string(),
    extension: v.record(v.string(), v.unknown()),
  }),
});

export const connectModules = v.array(connectModule);
export const forgeModules = v.array(forgeModule);

export const invokedShape: v.GenericSchema<unknown, HostInvoked> = v.union([
  v.object({
    success: v.literal(true),
    payload: v.object({ status: v.number(), headers: v.record(v.string(), v.array(v.string())), body: v.unknown() }),
  }),
  v.object({ success: v.literal(false), error: v.object({ message: v.string() }) }),
]);

export const gadgetsShape: v.GenericSchema<unknown, HostGadgets> = v.array(
  v.object({
    id: v.string(),
    framework: v.picklist(['connect', 'forge']),
    addonKey: v.string(),
    moduleKey: v.string(),
  }),
);

export const workflowShape: v.GenericSchema<unknown, HostWorkflow> = v.object({
  transitions: v.array(v.object({ id: v.string(), name: v.string() })),
  rules: v.array(
    v.object({
      id: v.string(),
      transitionId: v.string(),
      kind: v.picklist(['validator', 'condition']),
      framework: v.picklist(['connect', 'forge']),
      addonKey: v.string(),
      moduleKey: v.string(),
      config: v.string(),
    }),
  ),
});

const strikes = {
  id: v.string(),
  struck: v.number(),
  match: v.string(),
  name: v.exactOptional(v.string()),
  chance: v.exactOptional(v.number()),
  seed: v.exactOptional(v.number()),
  times: v.exactOptional(v.number()),
  forMs: v.exactOptional(v.number()),
  delayMs: v.exactOptional(v.number()),
};

export const faultsShape: v.GenericSchema<unknown, HostFault[]> = v.array(
  v.union([
    v.object({ ...strikes, webhook: v.picklist(['late', 'overtaken', 'doubled', 'dropped']) }),
    v.object({ ...strikes, task: v.picklist(['late', 'failed']) }),
    v.object({
      ...strikes,
      by: v.exactOptional(v.picklist(['addon', 'people'])),
      status: v.exactOptional(v.number()),
      retryAfter: v.exactOptional(v.number()),
      reason: v.exactOptional(v.string()),
      refuse: v.exactOptional(v.picklist(['property', 'screen'])),
      lateMs: v.exactOptional(v.number()),
      cut: v.exactOptional(v.picklist(['before', 'taken', 'after'])),
    }),
  ]),
);

export const quotaShape: v.GenericSchema<unknown, HostQuota> = v.object({
  limit: v.nullable(v.object({ points: v.number(), seconds: v.number(), beta: v.boolean() })),
  since: v.string(),
  ends: v.nullable(v.string()),
  apps: v.array(v.object({ key: v.string(), spent: v.number() })),
  ledger: v.array(
    v.object({
      app: v.string(),
      site: v.string(),
      call: v.string(),
      cause: v.nullable(v.string()),
      source: v.picklist(['documented', 'reported', 'estimated']),
      calls: v.number(),
      points: v.number(),
      refused: v.number(),
    }),
  ),
});

/** The subject of a frame or page. */
export interface About {
  /** Its add-on; the first matching one unless given. */
  addonKey?: string;
  issueKey?: string;
  projectKey?: string;
  /** Id of a workflow rule. */
  rule?: string;
  /** Id of a gadget. */
  gadget?: string;
}

const sent = { id: v.string(), time: v.string() };

export const outboxShape: v.GenericSchema<unknown, HostOutbox> = v.object({
  hasSecret: v.boolean(),
  status: v.number(),
  entries: v.array(
    v.variant('kind', [
      v.object({
        ...sent,
        kind: v.literal('notification'),
        issue: v.string(),
        to: v.array(v.string()),
        withheld: v.array(v.string()),
        subject: v.string(),
        text: v.string(),
        html: v.string(),
      }),
      v.object({
        ...sent,
        kind: v.literal('webhook'),
        event: v.string(),
        delivery: v.string(),
        signature: v.picklist(['valid', 'wrong', 'unchecked']),
        token: v.string(),
        body: v.string(),
      }),
    ]),
  ),
});

export const automationAnswerShape: v.GenericSchema<unknown, HostAutomationAnswer> = v.object({
  status: v.number(),
  body: v.string(),
});
