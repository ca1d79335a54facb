import type { Assignment } from './assignments.ts';
import type { Template } from './templates.ts';

/** A template in lists. */
export interface ListedTemplate extends Template {
  items: number;
  /** Whether it is the default of the target, or of its own scope if no target is given. */
  isDefault: boolean;
  /** Whether it is a new site's first template. */
  gettingStarted: boolean;
  /** Account id of the last author. */
  account: string;
  created: Date;
  updated: Date;
}

export const templateSorts = ['NAME', 'UPDATED', 'ITEMS'] as const;
export const templateScopes = ['ALL', 'GLOBAL', 'PROJECT'] as const;

export interface TemplateQuery {
  /** Only the templates for a project; all if left out. */
  project?: string;
  scope: (typeof templateScopes)[number];
  search: string;
  sort: (typeof templateSorts)[number];
  descending: boolean;
  /** The size and offset of the page. */
  first: number;
  skip: number;
}

/** The count and limit of templates. */
export interface TemplateRoom {
  count: number;
  /** `null` without a limit. */
  most: number | null;
}

export interface TemplatePage {
  templates: ListedTemplate[];
  /** The count of all matching templates. */
  total: number;
  room: { global: TemplateRoom; project: TemplateRoom | null };
}

/** A template in a folder, without its text. */
export type FiledTemplate = Pick<ListedTemplate, 'id' | 'name' | 'items' | 'isDefault' | 'updated'>;

/** A deleted template that can be restored. */
export interface DeletedTemplate extends Pick<ListedTemplate, 'id' | 'project' | 'name' | 'items'> {
  deleted: Date;
  /** The end of the time in which it can be restored. */
  until: Date;
}

/** The templates of one project, or (`null`) of the whole site. */
export interface TemplateFolder {
  project: string | null;
  /** Whether the caller has permission to add and change templates here. */
  mayChange: boolean;
  templates: FiledTemplate[];
}

/** A page of the templates that the caller has permission to use, by folder. */
export interface TemplateTree {
  folders: TemplateFolder[];
  /** Id of the template before the next page; `null` on the last one. */
  next: string | null;
}

/** A version of a template without its text. */
export interface ListedVersion extends Omit<Template, 'id' | 'text'> {
  /** Counted from 1. */
  version: number;
  items: number;
  /** Account id of the author, empty for automatic changes. */
  account: string;
  created: Date;
}

export interface TemplateVersion extends ListedVersion {
  text: string;
}

/** Newest first. */
export interface TemplateVersions {
  versions: ListedVersion[];
  /** The `before` of the next page; `null` if no older version is stored. */
  next: number | null;
}

/** The uses of a template. */
export interface TemplateUsage {
  /** Count of issues to which it was added, and whose checklist was not emptied or replaced since. */
  issues: number;
  /** Rules that add it; `null` without the permission to see rules. */
  rules: Assignment[] | null;
}

/** A template of a file that was not imported, and the reason. */
export interface SkippedTemplate {
  name: string;
  message: string;
}

/** The scope of a template; `null` is the whole site. */
export interface TemplateTarget {
  project: string | null;
}

/** A text that replaces another one. */
export interface NewText {
  text: string;
  /** The base, for merging concurrent changes. Without it they are overwritten. */
  base?: string;
}

/** The templates of one tenant with the permissions of one account. Every refusal is a `Refused`. */
export interface Templates {
  list(query: TemplateQuery): Promise<TemplatePage>;
  /**
   * A page of all templates in their folders, by name, after a template. `project` has a folder even without templates.
   */
  tree(place: { project?: string; after?: string }): Promise<TemplateTree>;
  /** The versions and uses of a template; `project` is the target. */
  versions(id: string, page: { project?: string; before?: number; first: number }): Promise<TemplateVersions>;
  version(id: string, version: number, project?: string): Promise<TemplateVersion>;
  usage(id: string, project?: string): Promise<TemplateUsage>;
  /** The templates among these that the account has permission to change. */
  changeable(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** `project` is the target. */
  find(id: string, project?: string): Promise<ListedTemplate>;
  createFromText(template: TemplateTarget & { name: string; text: string }): Promise<ListedTemplate>;
  /** Without `keepStatuses` every item becomes to do. */
  createFromChecklist(
    template: TemplateTarget & { issue: string; name: string; keepStatuses: boolean },
  ): Promise<ListedTemplate>;
  duplicate(id: string, to: Partial<TemplateTarget> & { name?: string }): Promise<ListedTemplate>;
  update(id: string, values: Partial<TemplateTarget> & { name?: string; text?: NewText }): Promise<ListedTemplate>;
  remove(id: string): Promise<ListedTemplate>;
  /**
   * The deleted templates that the caller has permission to restore, newest deletion first: those of a project and, for
   * administrators of the site, of the site; without a project those of the site and all its projects.
   */
  deleted(project?: string): Promise<DeletedTemplate[]>;
  /** Undoes a removal. */
  restore(id: string): Promise<ListedTemplate>;
  /** Sets the default template of a project, or of the site; `null` is none, in a project not even the site's. */
  setDefault(project: string | null, id: string | null): Promise<ListedTemplate | null>;
  export(query: { project: string | null; ids: readonly string[] }): Promise<string>;
  import(
    target: TemplateTarget & { file: string },
  ): Promise<{ templates: ListedTemplate[]; notTaken: SkippedTemplate[] }>;
}
