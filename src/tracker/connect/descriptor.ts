import * as z from 'zod';

/** The used part of an add-on's descriptor, already validated by the vendor's schemas (schema.ts). */

const text = z.object({ value: z.string() });
const icon = z.object({ url: z.string() });

export interface SingleCondition {
  condition: string;
  invert?: boolean | undefined;
  params?: Record<string, string> | undefined;
}
export type Condition = SingleCondition | { or: Condition[] } | { and: Condition[] };

const condition: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.object({
      condition: z.string(),
      invert: z.boolean().optional(),
      params: z.record(z.string(), z.string()).optional(),
    }),
    z.object({ or: z.array(condition) }),
    z.object({ and: z.array(condition) }),
    z
      .object({ type: z.string(), conditions: z.array(condition) })
      .transform(({ type, conditions }) => (type.toLowerCase() === 'or' ? { or: conditions } : { and: conditions })),
  ]),
);
const conditions = z.array(condition).default([]);

const page = z.object({ key: z.string(), name: text, url: z.string(), conditions });
const target = z.object({ url: z.string() });

const webhook = z.object({ event: z.string(), url: z.string(), excludeBody: z.boolean().default(false) });
export type WebhookModule = z.infer<typeof webhook>;

const dialog = z.object({
  key: z.string(),
  url: z.string(),
  options: z
    .object({
      size: z.string().optional(),
      width: z.string().optional(),
      height: z.string().optional(),
      chrome: z.boolean().default(true),
    })
    .default({ chrome: true }),
});

export const aliasType = z.enum(['number', 'text', 'string', 'date', 'user']);
const extraction = z.object({ objectName: z.string(), alias: z.string(), type: aliasType });

const modules = z.object({
  jiraIssueContents: z
    .array(z.object({ key: z.string(), name: text, icon, target, conditions, contentPresentConditions: conditions }))
    .default([]),
  jiraIssueContexts: z
    .array(z.object({ key: z.string(), name: text, icon, content: z.object({ label: text }), target, conditions }))
    .default([]),
  serviceDeskPortalRequestViewPanels: z
    .array(z.object({ key: z.string(), url: z.string(), weight: z.number().default(100), conditions }))
    .default([]),
  jiraProjectAdminTabPanels: z.array(page).default([]),
  generalPages: z.array(page).default([]),
  adminPages: z.array(page).default([]),
  configurePage: page.optional(),
  postInstallPage: page.optional(),
  dialogs: z.array(dialog).default([]),
  jiraIssueFields: z.array(z.object({ key: z.string(), type: z.string(), name: text })).default([]),
  jiraEntityProperties: z
    .array(
      z.object({
        keyConfigurations: z.array(z.object({ propertyKey: z.string(), extractions: z.array(extraction).default([]) })),
      }),
    )
    .default([]),
  jiraProjectPermissions: z.array(z.object({ key: z.string(), name: text, description: text })).default([]),
  webhooks: z.array(webhook).default([]),
});

const scopeNames = ['READ', 'WRITE', 'DELETE', 'PROJECT_ADMIN', 'ADMIN'] as const;
/** Scope of a call. A higher scope includes the lower ones. */
export type Scope = (typeof scopeNames)[number];

export const descriptorShape = z.object({
  key: z.string(),
  name: z.string(),
  baseUrl: z.string().transform(url => url.replace(/\/+$/, '')),
  version: z.string().optional(),
  scopes: z.array(z.string()).default([]),
  enableLicensing: z.boolean().default(false),
  lifecycle: z.object({ installed: z.string().optional(), uninstalled: z.string().optional() }).default({}),
  modules,
});
export type Descriptor = z.infer<typeof descriptorShape>;

export const hasScope = (descriptor: Descriptor, scope: Scope): boolean =>
  scopeNames.slice(scopeNames.indexOf(scope)).some(name => descriptor.scopes.includes(name));

/** All conditions of a descriptor, however nested. */
export function conditionsOf(descriptor: Descriptor): SingleCondition[] {
  const found: SingleCondition[] = [];
  const visit = (entry: Condition): void => {
    if ('or' in entry) entry.or.forEach(visit);
    else if ('and' in entry) entry.and.forEach(visit);
    else found.push(entry);
  };
  for (const list of Object.values(descriptor.modules)) {
    for (const module of Array.isArray(list) ? list : [list]) {
      if (!module) continue;
      if ('conditions' in module) module.conditions.forEach(visit);
      if ('contentPresentConditions' in module) module.contentPresentConditions.forEach(visit);
    }
  }
  return found;
}
