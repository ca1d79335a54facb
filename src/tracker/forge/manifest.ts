import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { parse } from 'yaml';
import { parseAs, readAs } from '../../domain/shape.ts';
import { aliasType } from '../connect/descriptor.ts';
import { conditionsShape } from './conditions.ts';

/** The used part of a Forge app's manifest. The vendor's own validator checks it elsewhere. */

const endpointAuth = v.optional(
  v.object({
    appSystemToken: v.optional(v.object({ enabled: v.boolean() })),
    appUserToken: v.optional(v.object({ enabled: v.boolean() })),
  }),
  {},
);
const endpoint = v.object({
  key: v.string(),
  remote: v.string(),
  route: v.optional(v.object({ path: v.pipe(v.string(), v.startsWith('/')) })),
  auth: endpointAuth,
});

const place = {
  key: v.string(),
  title: v.string(),
  icon: v.optional(v.string()),
  resource: v.string(),
  resolver: v.object({ endpoint: v.string() }),
  displayConditions: v.optional(conditionsShape, {}),
  unlicensedAccess: v.optional(v.array(v.string()), []),
};
const placed = v.optional(v.array(v.object(place)), []);

const shown = v.optional(v.object({ resource: v.string() }));
const workflowRule = {
  key: v.string(),
  name: v.string(),
  description: v.string(),
  expression: v.string(),
  configurationDescription: v.optional(v.object({ expression: v.string() })),
  resolver: v.object({ endpoint: v.string() }),
  create: shown,
  edit: shown,
  view: shown,
};

const trigger = v.object({
  key: v.string(),
  endpoint: v.string(),
  events: v.array(v.string()),
  filter: v.optional(v.object({ ignoreSelf: v.optional(v.boolean(), false) }), { ignoreSelf: false }),
});
export type Trigger = v.InferOutput<typeof trigger>;
const timer = v.object({ key: v.string(), endpoint: v.string(), interval: v.literal('hour') });

const modules = v.object({
  endpoint: v.optional(v.array(endpoint), []),
  trigger: v.optional(v.array(trigger), []),
  scheduledTrigger: v.optional(v.array(timer), []),
  preUninstall: v.optional(v.array(v.object({ key: v.string(), endpoint: v.string() })), []),
  'jira:issueContext': v.optional(v.array(v.object({ ...place, label: v.string() })), []),
  'jira:issuePanel': placed,
  'jiraServiceManagement:portalRequestDetail': placed,
  'jira:projectSettingsPage': placed,
  'jira:projectPage': placed,
  'jira:globalPage': v.optional(
    v.array(v.object({ ...place, pages: v.optional(v.array(v.object({ title: v.string(), route: v.string() })), []) })),
    [],
  ),
  'jira:adminPage': v.optional(
    v.array(
      v.object({
        ...place,
        useAsConfig: v.optional(v.boolean(), false),
        useAsGetStarted: v.optional(v.boolean(), false),
      }),
    ),
    [],
  ),
  'jira:workflowValidator': v.optional(
    v.array(
      v.object({
        ...workflowRule,
        errorMessage: v.optional(v.union([v.string(), v.object({ expression: v.string() })])),
      }),
    ),
    [],
  ),
  'jira:workflowCondition': v.optional(v.array(v.object(workflowRule)), []),
  'jira:dashboardGadget': v.optional(v.array(v.object({ ...place, edit: shown })), []),
  'jira:customField': v.optional(
    v.array(
      v.object({
        key: v.string(),
        name: v.string(),
        type: v.string(),
        readOnly: v.optional(v.boolean(), false),
        view: v.optional(v.object({ formatter: v.optional(v.object({ expression: v.string() })) }), {}),
        migratedFromConnect: v.optional(v.boolean(), false),
      }),
    ),
    [],
  ),
  'jira:entityProperty': v.optional(
    v.array(
      v.object({
        propertyKey: v.string(),
        values: v.array(v.object({ path: v.string(), type: aliasType, searchAlias: v.string() })),
      }),
    ),
    [],
  ),
  'jira:projectPermission': v.optional(
    v.array(
      v.object({
        key: v.string(),
        name: v.string(),
        description: v.string(),
        migratedFromConnect: v.optional(v.boolean(), false),
      }),
    ),
    [],
  ),
});

/** Names alone, or with what each allows. */
const scopes = v.union([
  v.pipe(
    v.array(v.string()),
    v.transform(names => new Map(names.map(name => [name, { allowImpersonation: false }] as const))),
  ),
  v.pipe(
    v.record(v.string(), v.object({ allowImpersonation: v.optional(v.boolean(), false) })),
    v.transform(named => new Map(Object.entries(named))),
  ),
]);

const manifestShape = v.object({
  app: v.object({
    connect: v.optional(v.object({ key: v.string() })),
    licensing: v.optional(v.object({ enabled: v.boolean() }), { enabled: false }),
  }),
  remotes: v.array(v.object({ key: v.string() })),
  permissions: v.object({
    scopes,
    content: v.optional(
      v.object({
        styles: v.optional(v.array(v.literal('unsafe-inline')), []),
        scripts: v.optional(v.array(v.string()), []),
      }),
      { styles: [], scripts: [] },
    ),
    /** Destinations of requests from pages: addresses, and remotes by key. */
    external: v.optional(
      v.object({
        fetch: v.object({ client: v.optional(v.array(v.union([v.string(), v.object({ remote: v.string() })])), []) }),
      }),
      { fetch: { client: [] } },
    ),
  }),
  resources: v.tuple([v.object({ key: v.string() })]),
  modules,
});
export type Manifest = v.InferOutput<typeof manifestShape>;

const variables = v.object({
  environment: v.optional(
    v.object({ variables: v.array(v.object({ key: v.string(), default: v.optional(v.string()) })) }),
  ),
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
  const declared = readAs(variables, yaml(text))?.environment?.variables ?? [];
  const variableValues: Record<string, string | undefined> = {
    ...Object.fromEntries(declared.map(variable => [variable.key, variable.default])),
    ...values,
  };
  const filled = text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = variableValues[name];
    if (value === undefined) throw new ManifestRefused(`The manifest's variable ${name} has no value.`);
    return value;
  });
  const refusal = (problem: string) => new ManifestRefused(`The manifest is refused: ${problem}`);
  const manifest = parseAs(manifestShape, yaml(filled), refusal);
  requireReferences(manifest);
  return manifest;
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
  ...modules['jira:projectPage'],
  ...modules['jira:globalPage'],
  ...modules['jira:adminPage'],
];
