import * as v from 'valibot';
import type { PermissionSettings } from './permissions.ts';

/** Product settings as the server sends them, inside the session token's payload. */
const settingsShape = v.object({
  getting_started_template_id: v.nullable(v.string()),
  has_checklist: v.boolean(),
  manage_permissions_enabled: v.boolean(),
  view_permissions_enabled: v.boolean(),
  /** The site allows analytics. */
  analytics_enabled: v.boolean(),
  /** The site does not offer the starter templates. */
  starters_hidden: v.exactOptional(v.boolean()),
  /** False if the platform reports an inactive license: read-only. */
  licensed: v.optional(v.boolean(), true),
  /** The site's keys of our permissions, by module, if they are not `{addonKey}__{moduleKey}`. */
  permission_keys: v.optional(v.record(v.string(), v.string())),
});
export type ProductSettingsPayload = v.InferOutput<typeof settingsShape>;

export interface ProductSettings {
  gettingStartedTemplateId: string | null;
  hasChecklist: boolean;
  permissionSettings: PermissionSettings;
  /** The site's keys of our permissions, by module, if they are not `{addonKey}__{moduleKey}`. */
  permissionKeys: Readonly<Record<string, string>> | undefined;
  isLicensed: boolean;
}

export function productSettings(payload: ProductSettingsPayload): ProductSettings {
  return {
    gettingStartedTemplateId: payload.getting_started_template_id,
    hasChecklist: payload.has_checklist,
    permissionSettings: {
      manageEnabled: payload.manage_permissions_enabled,
      viewEnabled: payload.view_permissions_enabled,
    },
    permissionKeys: payload.permission_keys,
    isLicensed: payload.licensed,
  };
}

/** The session token's payload. Times in seconds since the epoch. */
const sessionShape = v.object({
  iss: v.string(),
  /** The tenant: the tracker's client key. */
  aud: v.string(),
  /** The account id; `anonymous` without one. */
  sub: v.string(),
  iat: v.number(),
  exp: v.number(),
  /** The tracker's address, e.g. `https://site.example`. */
  site: v.string(),
  settings: settingsShape,
});
export type SessionPayload = v.InferOutput<typeof sessionShape>;

/** Decodes a token's payload without verification or parsing. Throws for an invalid token. */
export function tokenPayload(token: string): unknown {
  const body = token.split('.')[1];
  if (!body) throw new Error('The token has no payload.');
  const bytes = Uint8Array.from(atob(body.replace(/-/g, '+').replace(/_/g, '/')), character => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

export const parseSession = (payload: unknown): SessionPayload => v.parse(sessionShape, payload);

/** Reads a session token without verifying it: the browser only shows its content, the server verifies it. */
export const decodeSession = (token: string): SessionPayload => parseSession(tokenPayload(token));
