import { type Descriptor, hasScope, type Scope } from './connect/descriptor.ts';

/** A value of an issue's property that is searched by a name, as an app declares it (Connect and Forge, "Entity property"). */
export interface SearchAlias {
  alias: string;
  propertyKey: string;
  /** Names within the value, joined by dots. */
  path: string;
  type: 'number' | 'text' | 'string' | 'date' | 'user';
}

/** An app as the REST API knows it, whichever framework has installed it: Connect calls it an add-on. */
export interface App {
  key: string;
  name: string;
  /** The account that stands for it. */
  account: string;
  /** Whether it may make a call: under Connect with that scope, under Forge with the OAuth scope. */
  grants(scope: Scope, oauth?: string): boolean;
  /** Of projects, with the keys under which the site knows them. */
  permissions: readonly { key: string; name: string; description: string }[];
  aliases: readonly SearchAlias[];
  /** Whether it has brought the custom field of this key. */
  brings(fieldKey: string): boolean;
}

export const accountOf = (key: string): string => `addon:${key}`;

/** How the site tells what an add-on brings from what others bring: by the add-on's key and the module's. */
export const connectKey = (addonKey: string, moduleKey: string): string => `${addonKey}__${moduleKey}`;

export const connectApp = (descriptor: Descriptor): App => ({
  key: descriptor.key,
  name: descriptor.name,
  account: accountOf(descriptor.key),
  grants: scope => hasScope(descriptor, scope),
  permissions: descriptor.modules.jiraProjectPermissions.map(({ key, name, description }) => ({
    key: connectKey(descriptor.key, key),
    name: name.value,
    description: description.value,
  })),
  aliases: descriptor.modules.jiraEntityProperties.flatMap(({ keyConfigurations }) =>
    keyConfigurations.flatMap(({ propertyKey, extractions }) =>
      extractions.map(({ objectName, alias, type }) => ({ propertyKey, path: objectName, alias, type })),
    ),
  ),
  brings: fieldKey => fieldKey.startsWith(connectKey(descriptor.key, '')),
});
