import type { TrackerField } from '../platform/tracker/fields.ts';

export const textFieldModes = ['OWN', 'CHOSEN', 'NONE'] as const;

/** Which text field is kept equal to the checklist: our own, one that was chosen, by its id, or none. */
export type TextField = { mode: 'OWN' } | { mode: 'CHOSEN'; field: string } | { mode: 'NONE' };

export interface SiteSettings {
  managePermissions: boolean;
  viewPermissions: boolean;
  /** What is used may be counted. */
  analytics: boolean;
  gettingStartedTemplate: string | null;
  textField: TextField;
}

/** The site's settings, and what there is to choose from. */
export interface SiteSettingsView extends SiteSettings {
  fields: TrackerField[];
}

export interface ProjectSettings {
  showInCenter: boolean;
}

/** Who was granted a permission in a project. */
export interface Holders {
  /** The tracker's key. */
  permission: string;
  /** Account ids, the first ones. */
  accounts: string[];
  /** There are more. */
  more: boolean;
}

/** What a new site is shown first. */
export interface GettingStarted {
  hasChecklist: boolean;
  hasTemplate: boolean;
  /** The template that was chosen to start with. */
  template: { id: string; name: string } | null;
  demo: { name: string; text: string };
}

/** The settings of one tenant, as one account may see and change them. Every refusal is a `Refused`. */
export interface Settings {
  site(): Promise<SiteSettingsView>;
  updateSite(values: Partial<SiteSettings>): Promise<SiteSettingsView>;
  project(project: string): Promise<ProjectSettings>;
  updateProject(project: string, values: ProjectSettings): Promise<ProjectSettings>;
  holders(project: string): Promise<Holders[]>;
  gettingStarted(): Promise<GettingStarted>;
  /** Drops all that we keep of the site but the installation itself; `confirm` is the site's address. */
  removeData(confirm: string): Promise<void>;
}
