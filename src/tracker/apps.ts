import { type Descriptor, hasScope, type Scope } from './connect/descriptor.ts';

/** A value of an issue's property that is searched by a name, as an app declares it (Connect and Forge, "Entity property"). */
export interface SearchAlias {
  alias: string;
  propertyKey: string;
  /** Names within the value, joined by dots. */
  path: string;
  type: 'number' | 'text' | 'string' | 'date' | 'user';
}

/** The scope of a call that no Connect app may make. */
export const INACCESSIBLE = 'INACCESSIBLE';

/** An app as the REST API sees it, of either framework: Connect calls it an add-on. */
export interface App {
  key: string;
  name: string;
  /** Its account. */
  account: string;
  /** Whether it may make a call: by the Connect scope, or by the OAuth scope under Forge. */
  grants(scope: Scope | typeof INACCESSIBLE, oauth?: string): boolean;
  /** Whether its account has been given permissions at the site. */
  isPermitted(): boolean;
  /** Its project permissions, with their keys at the site. */
  permissions: readonly { key: string; name: string; description: string }[];
  aliases: readonly SearchAlias[];
  /** Whether it provides the custom field of this key. */
  brings(fieldKey: string): boolean;
}

export const accountOf = (key: string): string => `addon:${key}`;

/** The prefix of what an add-on provides: the add-on's key and the module's. */
export const connectKey = (addonKey: string, moduleKey: string): string => `${addonKey}__${moduleKey}`;

export const connectApp = (descriptor: Descriptor): App => ({
  key: descriptor.key,
  name: descriptor.name,
  account: accountOf(descriptor.key),
  grants: scope => scope !== INACCESSIBLE && hasScope(descriptor, scope),
  isPermitted: () => true,
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
