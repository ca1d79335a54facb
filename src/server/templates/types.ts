import type { Assignment } from './assignments.ts';
import type { Template } from './templates.ts';

/** A template as those who choose or manage one see it. */
export interface ListedTemplate extends Template {
  items: number;
  /** It is offered first where it is to be used; where no place is named, where it belongs. */
  isDefault: boolean;
  /** It is what a new site starts with. */
  gettingStarted: boolean;
  /** Who wrote it last: an account id. */
  account: string;
  created: Date;
  updated: Date;
}

export const templateSorts = ['NAME', 'UPDATED', 'ITEMS'] as const;
export const templateScopes = ['ALL', 'GLOBAL', 'PROJECT'] as const;

export interface TemplateQuery {
  /** Those that can be used there; without one, all of the site. */
  project?: string;
  scope: (typeof templateScopes)[number];
  search: string;
  sort: (typeof templateSorts)[number];
  descending: boolean;
  /** How many, after so many. */
  first: number;
  skip: number;
}

/** How many templates there are, and may be. */
export interface TemplateRoom {
  count: number;
  /** `null` without a limit. */
  most: number | null;
}

export interface TemplatePage {
  templates: ListedTemplate[];
  /** How many are found in all. */
  total: number;
  room: { global: TemplateRoom; project: TemplateRoom | null };
}

/** A template in a folder, without its text. */
export type FiledTemplate = Pick<ListedTemplate, 'id' | 'name' | 'items' | 'isDefault' | 'updated'>;

/** The templates of one project, or (`null`) of the whole site. */
export interface TemplateFolder {
  project: string | null;
  /** Whether the caller may add templates here, and change these. */
  mayChange: boolean;
  templates: FiledTemplate[];
}

/** A page of the templates that the caller may use anywhere, each in its folder. */
export interface TemplateTree {
  folders: TemplateFolder[];
  /** Id of the template after which the next page begins; `null` where there is none. */
  next: string | null;
}

/** What a template said, without its text. */
export interface ToldVersion extends Omit<Template, 'id' | 'text'> {
  /** Counted from 1. */
  version: number;
  items: number;
  /** Who wrote it: an account id, empty where the add-on did by itself. */
  account: string;
  created: Date;
}

export interface TemplateVersion extends ToldVersion {
  text: string;
}

/** Newest first. */
export interface TemplateVersions {
  versions: ToldVersion[];
  /** Ask for those before it; `null` where no older one is kept. */
  next: number | null;
}

/** Where a template is at work. */
export interface TemplateUsage {
  /** Issues to which it was added, and whose checklist was not emptied or replaced since. */
  issues: number;
  /** Rules that add it by themselves; `null` for whoever may not see rules. */
  rules: Assignment[] | null;
}

/** A file's template that was not taken, and why. */
export interface NotTaken {
  name: string;
  message: string;
}

/** Where the project of a template is left out, it is for the whole site. */
export interface TemplateTarget {
  project: string | null;
}

/** A text that takes the place of another one. */
export interface NewText {
  text: string;
  /** What it was made of: what somebody else changed of that meanwhile stays. Without it, nothing of that does. */
  base?: string;
}

/** The templates of one tenant, as one account may see and change them. Every refusal is a `Refused`. */
export interface Templates {
  list(query: TemplateQuery): Promise<TemplatePage>;
  /**
   * Those of a site in their folders, by name, from after a template on; `project` is one that is to be among them, though
   * it may have none yet.
   */
  tree(place: { project?: string; after?: string }): Promise<TemplateTree>;
  /** What it said, and where it is at work; `project` is where it is to be used. */
  versions(id: string, page: { project?: string; before?: number; first: number }): Promise<TemplateVersions>;
  version(id: string, version: number, project?: string): Promise<TemplateVersion>;
  usage(id: string, project?: string): Promise<TemplateUsage>;
  /** Those of these templates that the account may change. */
  changeable(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** `project` is where it is to be used. */
  find(id: string, project?: string): Promise<ListedTemplate>;
  createFromText(template: TemplateTarget & { name: string; text: string }): Promise<ListedTemplate>;
  /** `keepStatuses`: items stay as they are; else each is to do. */
  createFromChecklist(
    template: TemplateTarget & { issue: string; name: string; keepStatuses: boolean },
  ): Promise<ListedTemplate>;
  duplicate(id: string, to: Partial<TemplateTarget> & { name?: string }): Promise<ListedTemplate>;
  update(id: string, values: Partial<TemplateTarget> & { name?: string; text?: NewText }): Promise<ListedTemplate>;
  remove(id: string): Promise<ListedTemplate>;
  /** Takes back a removal. */
  restore(id: string): Promise<ListedTemplate>;
  /** Which one a project, or the site, offers first. `null`: none, in a project not even the site's. */
  setDefault(project: string | null, id: string | null): Promise<ListedTemplate | null>;
  export(query: { project: string | null; ids: readonly string[] }): Promise<string>;
  import(target: TemplateTarget & { file: string }): Promise<{ templates: ListedTemplate[]; notTaken: NotTaken[] }>;
}
