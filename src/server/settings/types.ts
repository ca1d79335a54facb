import type { PortalMode } from '../../domain/permissions.ts';
import type { TrackerField } from '../platform/tracker/fields.ts';

export const textFieldModes = ['OWN', 'CHOSEN', 'NONE'] as const;

/** The text field that mirrors the checklist: the app's own, a chosen one by its id, or none. */
export type TextField = { mode: 'OWN' } | { mode: 'CHOSEN'; field: string } | { mode: 'NONE' };

export interface SiteSettings {
  managePermissions: boolean;
  viewPermissions: boolean;
  /** Whether usage is counted. */
  analytics: boolean;
  gettingStartedTemplate: string | null;
  /** Whether the starter templates are offered. */
  starters: boolean;
  textField: TextField;
}

/** The site's settings, and the available fields. */
export interface SiteSettingsView extends SiteSettings {
  fields: TrackerField[];
}

export interface ProjectSettings {
  showInCenter: boolean;
  /** The part of checklists that portal customers see. */
  portal: PortalMode;
}

/** A project's settings, and what can be chosen. */
export interface ProjectSettingsView extends ProjectSettings {
  /** Whether the project has a portal. */
  service: boolean;
  /** The modes that can be chosen. `ALL` can be chosen only if the installation had that mode before. */
  portalModes: readonly PortalMode[];
}

/** The accounts with a permission in a project. */
export interface Holders {
  /** The tracker's key. */
  permission: string;
  /** Whether the tracker answered the search. */
  known: boolean;
  /** The first account ids, of the accounts that the tracker searches. */
  accounts: string[];
  /** Whether there are more. */
  more: boolean;
}

/** The state of the getting-started page. */
export interface GettingStarted {
  hasChecklist: boolean;
  hasTemplate: boolean;
  /** The chosen first template. */
  template: { id: string; name: string } | null;
  demo: { name: string; text: string };
}

/** The settings of one tenant with the permissions of one account. Every refusal is a `Refused`. */
export interface Settings {
  site(): Promise<SiteSettingsView>;
  updateSite(values: Partial<SiteSettings>): Promise<SiteSettingsView>;
  project(project: string): Promise<ProjectSettingsView>;
  updateProject(project: string, values: Partial<ProjectSettings>): Promise<ProjectSettingsView>;
  holders(project: string): Promise<Holders[]>;
  gettingStarted(): Promise<GettingStarted>;
  /** Erases a person by account id. Resolves with the number of checklists that mentioned the person. */
  erasePerson(account: string): Promise<number>;
  /** Makes all processes ask the tracker for its workflow rules again soon. */
  workflowRulesEdited(): Promise<void>;
  /** Deletes all stored data of the site except its installation; `confirm` is the site's address. */
  removeData(confirm: string): Promise<void>;
}
