import * as v from 'valibot';

/** The used part of an add-on's descriptor, already validated by the vendor's schemas (schema.ts). */

const text = v.object({ value: v.string() });
const icon = v.object({ url: v.string() });

export interface SingleCondition {
  condition: string;
  invert?: boolean | undefined;
  params?: Record<string, string> | undefined;
}
export type Condition = SingleCondition | { or: Condition[] } | { and: Condition[] };

const condition: v.GenericSchema<unknown, Condition> = v.lazy(() =>
  v.union([
    v.object({
      condition: v.string(),
      invert: v.optional(v.boolean()),
      params: v.optional(v.record(v.string(), v.string())),
    }),
    v.object({ or: v.array(condition) }),
    v.object({ and: v.array(condition) }),
    v.pipe(
      v.object({ type: v.string(), conditions: v.array(condition) }),
      v.transform(({ type, conditions }) => (type.toLowerCase() === 'or' ? { or: conditions } : { and: conditions })),
    ),
  ]),
);
const conditions = v.optional(v.array(condition), []);

const page = v.object({ key: v.string(), name: text, url: v.string(), conditions });
const target = v.object({ url: v.string() });

const webhook = v.object({ event: v.string(), url: v.string(), excludeBody: v.optional(v.boolean(), false) });
export type WebhookModule = v.InferOutput<typeof webhook>;

const dialog = v.object({
  key: v.string(),
  url: v.string(),
  options: v.optional(
    v.object({
      size: v.optional(v.string()),
      width: v.optional(v.string()),
      height: v.optional(v.string()),
      chrome: v.optional(v.boolean(), true),
    }),
    { chrome: true },
  ),
});

const url = v.object({ url: v.string() });
const workflowRule = {
  key: v.string(),
  name: text,
  description: v.optional(text),
  expression: v.string(),
  create: v.optional(url),
  edit: v.optional(url),
  view: v.optional(url),
};

export const aliasType = v.picklist(['number', 'text', 'string', 'date', 'user']);
const extraction = v.object({ objectName: v.string(), alias: v.string(), type: aliasType });

const modules = v.object({
  jiraIssueContents: v.optional(
    v.array(v.object({ key: v.string(), name: text, icon, target, conditions, contentPresentConditions: conditions })),
    [],
  ),
  jiraIssueContexts: v.optional(
    v.array(v.object({ key: v.string(), name: text, icon, content: v.object({ label: text }), target, conditions })),
    [],
  ),
  serviceDeskPortalRequestViewPanels: v.optional(
    v.array(v.object({ key: v.string(), url: v.string(), weight: v.optional(v.number(), 100), conditions })),
    [],
  ),
  jiraProjectAdminTabPanels: v.optional(v.array(page), []),
  generalPages: v.optional(v.array(page), []),
  jiraProjectPages: v.optional(v.array(page), []),
  adminPages: v.optional(v.array(page), []),
  configurePage: v.optional(page),
  postInstallPage: v.optional(page),
  jiraWorkflowValidators: v.optional(
    v.array(
      v.object({
        ...workflowRule,
        errorMessage: v.union([v.object({ value: v.string() }), v.object({ expression: v.string() })]),
      }),
    ),
    [],
  ),
  jiraWorkflowConditions: v.optional(v.array(v.object(workflowRule)), []),
  jiraDashboardItems: v.optional(v.array(v.object({ ...page.entries, description: text })), []),
  dialogs: v.optional(v.array(dialog), []),
  jiraIssueFields: v.optional(
    v.array(
      v.object({
        key: v.string(),
        type: v.string(),
        name: text,
        property: v.optional(
          v.object({ key: v.string(), path: v.string(), type: v.picklist(['number', 'string', 'date']) }),
        ),
      }),
    ),
    [],
  ),
  jiraEntityProperties: v.optional(
    v.array(
      v.object({
        keyConfigurations: v.array(
          v.object({ propertyKey: v.string(), extractions: v.optional(v.array(extraction), []) }),
        ),
      }),
    ),
    [],
  ),
  jiraProjectPermissions: v.optional(v.array(v.object({ key: v.string(), name: text, description: text })), []),
  webhooks: v.optional(v.array(webhook), []),
});

const scopeNames = ['READ', 'WRITE', 'DELETE', 'PROJECT_ADMIN', 'ADMIN'] as const;
/** Scope of a call. A higher scope includes the lower ones. */
export type Scope = (typeof scopeNames)[number];

export const descriptorShape = v.object({
  key: v.string(),
  name: v.string(),
  baseUrl: v.pipe(
    v.string(),
    v.transform(url => url.replace(/\/+$/, '')),
  ),
  version: v.optional(v.string()),
  scopes: v.optional(v.array(v.string()), []),
  enableLicensing: v.optional(v.boolean(), false),
  lifecycle: v.optional(v.object({ installed: v.optional(v.string()), uninstalled: v.optional(v.string()) }), {}),
  modules,
});
export type Descriptor = v.InferOutput<typeof descriptorShape>;

export const hasScope = (descriptor: Descriptor, scope: Scope): boolean =>
  scopeNames.slice(scopeNames.indexOf(scope)).some(name => descriptor.scopes.includes(name));

/** All conditions of a descriptor, however nested. */
export function conditionsOf(descriptor: Descriptor): SingleCondition[] {
  const singleConditions: SingleCondition[] = [];
  const visit = (entry: Condition): void => {
    if ('or' in entry) entry.or.forEach(visit);
    else if ('and' in entry) entry.and.forEach(visit);
    else singleConditions.push(entry);
  };
  for (const list of Object.values(descriptor.modules)) {
    for (const module of Array.isArray(list) ? list : [list]) {
      if (!module) continue;
      if ('conditions' in module) module.conditions.forEach(visit);
      if ('contentPresentConditions' in module) module.contentPresentConditions.forEach(visit);
    }
  }
  return singleConditions;
}
