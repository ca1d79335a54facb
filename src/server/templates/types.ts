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
