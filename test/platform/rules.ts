import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { parse } from 'yaml';
import { productEvents } from './vendor.ts';

/** Errors that the vendor's validator accepts although the platform refuses them or fails silently. */

/** Events of the app's own life, which the vendor documents beside the table of its products' events. */
const LIFECYCLE = ['avi:forge:installed:app', 'avi:forge:upgraded:app'];
/** Longest key of a remote or a resource. */
const MAX_KEY_CHARS = 23;

const token = v.optional(v.object({ enabled: v.boolean() }));
const shape = v.object({
  remotes: v.array(v.object({ key: v.string(), baseUrl: v.string() })),
  resources: v.array(v.object({ key: v.string(), path: v.string() })),
  permissions: v.object({
    scopes: v.record(v.string(), v.object({ allowImpersonation: v.optional(v.boolean()) })),
  }),
  modules: v.record(
    v.string(),
    v.array(
      v.object({
        key: v.string(),
        events: v.optional(v.array(v.string()), []),
        auth: v.optional(v.object({ appSystemToken: token, appUserToken: token }), {}),
        icon: v.optional(v.string()),
      }),
    ),
  ),
});

const repeated = (values: readonly string[]) => values.filter((value, index) => values.indexOf(value) !== index);

/** One line per broken rule of a manifest. `folder` is its folder. */
export function faultsOf(text: string, folder: string): string[] {
  const { remotes, resources, permissions, modules } = v.parse(shape, parse(text));
  const { scopes } = permissions;
  const all = Object.values(modules).flat();
  const needs = (scope: string, key: string) => (scope in scopes ? [] : [`endpoint ${key} needs the scope ${scope}`]);
  return [
    ...all
      .flatMap(({ events }) => events)
      .filter(event => !productEvents.has(event) && !LIFECYCLE.includes(event))
      .map(event => `event ${event} does not exist`),
    ...all.flatMap(({ key, auth }) => [
      ...(auth.appSystemToken?.enabled ? needs('read:app-system-token', key) : []),
      ...(auth.appUserToken?.enabled ? needs('read:app-user-token', key) : []),
    ]),
    ...remotes
      .filter(({ baseUrl }) => new URL(baseUrl).origin !== baseUrl)
      .map(({ key }) => `remote ${key} is more than an origin`),
    ...repeated(all.map(({ key }) => key)).map(key => `module key ${key} is not unique`),
    ...[...remotes, ...resources]
      .filter(({ key }) => key.length > MAX_KEY_CHARS)
      .map(({ key }) => `key ${key} is too long`),
    ...all.flatMap(({ icon }) => {
      const [, resource, file = ''] = /^resource:([^;]+);(.+)$/.exec(icon ?? '') ?? [];
      const path = resources.find(({ key }) => key === resource)?.path;
      return icon && !(path && existsSync(join(folder, path, file))) ? [`icon ${icon} does not exist`] : [];
    }),
    // An absent user is only asked about, never impersonated for changes.
    ...Object.entries(scopes)
      .filter(([scope, { allowImpersonation }]) => allowImpersonation && !scope.startsWith('read:'))
      .map(([scope]) => `scope ${scope} lets the app change things in someone's name`),
  ];
}
