import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import * as z from 'zod';
import { aliasType } from '../connect/descriptor.ts';
import { conditionsShape } from './conditions.ts';

/** The used part of a Forge app's manifest. The vendor's own validator checks it elsewhere. */

const endpointAuth = z
  .object({
    appSystemToken: z.object({ enabled: z.boolean() }).optional(),
    appUserToken: z.object({ enabled: z.boolean() }).optional(),
  })
  .default({});
const endpoint = z.object({
  key: z.string(),
  remote: z.string(),
  route: z.object({ path: z.string().startsWith('/') }).optional(),
  auth: endpointAuth,
});
export type Endpoint = z.infer<typeof endpoint>;

const place = {
  key: z.string(),
  title: z.string(),
  icon: z.string().optional(),
  resource: z.string(),
  resolver: z.object({ endpoint: z.string() }),
  displayConditions: conditionsShape.default({}),
  unlicensedAccess: z.array(z.string()).default([]),
};
const placed = z.array(z.object(place)).default([]);

const trigger = z.object({
  key: z.string(),
  endpoint: z.string(),
  events: z.array(z.string()),
  filter: z.object({ ignoreSelf: z.boolean().default(false) }).default({ ignoreSelf: false }),
});
export type Trigger = z.infer<typeof trigger>;
const timer = z.object({ key: z.string(), endpoint: z.string(), interval: z.literal('hour') });

const modules = z.object({
  endpoint: z.array(endpoint).default([]),
  trigger: z.array(trigger).default([]),
  scheduledTrigger: z.array(timer).default([]),
  preUninstall: z.array(z.object({ key: z.string(), endpoint: z.string() })).default([]),
  'jira:issueContext': z.array(z.object({ ...place, label: z.string() })).default([]),
  'jira:issuePanel': placed,
  'jiraServiceManagement:portalRequestDetail': placed,
  'jira:projectSettingsPage': placed,
  'jira:globalPage': z
    .array(z.object({ ...place, pages: z.array(z.object({ title: z.string(), route: z.string() })).default([]) }))
    .default([]),
  'jira:adminPage': z
    .array(
      z.object({
        ...place,
        useAsConfig: z.boolean().default(false),
        useAsGetStarted: z.boolean().default(false),
      }),
    )
    .default([]),
  'jira:customField': z
    .array(
      z.object({
        key: z.string(),
        name: z.string(),
        type: z.string(),
        migratedFromConnect: z.boolean().default(false),
      }),
    )
    .default([]),
  'jira:entityProperty': z
    .array(
      z.object({
        propertyKey: z.string(),
        values: z.array(z.object({ path: z.string(), type: aliasType, searchAlias: z.string() })),
      }),
    )
    .default([]),
  'jira:projectPermission': z
    .array(
      z.object({
        key: z.string(),
        name: z.string(),
        description: z.string(),
        migratedFromConnect: z.boolean().default(false),
      }),
    )
    .default([]),
});

/** Names alone, or with what each allows. */
const scopes = z.union([
  z.array(z.string()).transform(names => new Map(names.map(name => [name, { allowImpersonation: false }] as const))),
  z
    .record(z.string(), z.object({ allowImpersonation: z.boolean().default(false) }))
    .transform(named => new Map(Object.entries(named))),
]);

const manifestShape = z.object({
  app: z.object({
    connect: z.object({ key: z.string() }).optional(),
    licensing: z.object({ enabled: z.boolean() }).default({ enabled: false }),
  }),
  remotes: z.array(z.object({ key: z.string() })),
  permissions: z.object({
    scopes,
    content: z
      .object({ styles: z.array(z.literal('unsafe-inline')).default([]), scripts: z.array(z.string()).default([]) })
      .default({ styles: [], scripts: [] }),
    /** Where pages may send requests: addresses, and remotes by key. */
    external: z
      .object({
        fetch: z.object({ client: z.array(z.union([z.string(), z.object({ remote: z.string() })])).default([]) }),
      })
      .default({ fetch: { client: [] } }),
  }),
  resources: z.tuple([z.object({ key: z.string() })]),
  modules,
});
export type Manifest = z.infer<typeof manifestShape>;

const variables = z.object({
  environment: z
    .object({ variables: z.array(z.object({ key: z.string(), default: z.string().optional() })) })
    .optional(),
});

/** The manifest cannot be used; the message is readable. */
export class ManifestRefused extends Error {
  override readonly name = 'ManifestRefused';
}

/** Reads `manifest.yml`. `values` replace its variables' defaults. Throws `ManifestRefused`. */
export async function readManifest(file: string, values: Readonly<Record<string, string>>): Promise<Manifest> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new ManifestRefused(`The manifest cannot be read: ${error.message}`);
  });
  return manifestOf(text, values);
}

/** Throws `ManifestRefused`. */
export function manifestOf(text: string, values: Readonly<Record<string, string>>): Manifest {
  const declared = variables.safeParse(yaml(text)).data?.environment?.variables ?? [];
  const known: Record<string, string | undefined> = {
    ...Object.fromEntries(declared.map(variable => [variable.key, variable.default])),
    ...values,
  };
  const filled = text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = known[name];
    if (value === undefined) throw new ManifestRefused(`The manifest's variable ${name} has no value.`);
    return value;
  });
  const parsed = manifestShape.safeParse(yaml(filled));
  if (!parsed.success) throw new ManifestRefused(`The manifest is refused: ${z.prettifyError(parsed.error)}`);
  requireReferences(parsed.data);
  return parsed.data;
}

function yaml(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new ManifestRefused(`The manifest is no YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Modules refer to existing resources and endpoints. */
function requireReferences({ modules, resources, remotes }: Manifest): void {
  const endpoints = modules.endpoint.map(({ key }) => key);
  const triggers = [...modules.trigger, ...modules.scheduledTrigger, ...modules.preUninstall];
  const named = [
    ...modules.endpoint.map(({ remote }) => ['remote', remote, remotes.map(({ key }) => key)] as const),
    ...triggers.map(({ endpoint }) => ['endpoint', endpoint, endpoints] as const),
    ...placesOf(modules).flatMap(({ resource, resolver }) => [
      ['resource', resource, resources.map(({ key }) => key)] as const,
      ['endpoint', resolver.endpoint, endpoints] as const,
    ]),
  ];
  const missing = named.find(([, name, there]) => !there.includes(name));
  if (missing) throw new ManifestRefused(`The manifest names the ${missing[0]} ${missing[1]}, which it does not have.`);
}

/** Modules that show a page. */
export const placesOf = (modules: Manifest['modules']) => [
  ...modules['jira:issueContext'],
  ...modules['jira:issuePanel'],
  ...modules['jiraServiceManagement:portalRequestDetail'],
  ...modules['jira:projectSettingsPage'],
  ...modules['jira:globalPage'],
  ...modules['jira:adminPage'],
];
