import { type DialogName, dialogPaths, dialogs, type Place, places } from '../domain/pages.ts';
import type { RuleKind } from '../domain/workflow/options.ts';
import type { Names } from './product.ts';

/**
 * Visibility of a place: by user, or by the project setting "Panel position". Evaluated in the browser; protects
 * nothing.
 */
export type Shown = 'signed-in' | 'project-admin' | 'site-admin' | 'panel-in-centre' | 'panel-aside' | 'always';

/** The subject of a place. A Connect frame's address names the subject. */
export type About = 'issue' | 'project';

export interface TitledPlace extends Place {
  title: string;
  shown: Shown;
  about: readonly About[];
}

/** A panel in the middle of an issue. */
export interface Panel extends TitledPlace {
  tooltip: string;
  /** Whether it is shown before its button was used; Forge hides a panel until then, or until it is pinned. */
  open: boolean;
}

/** A full page. */
export interface Page extends TitledPlace {
  /** Whether the tracker's menu of apps lists it. Forge's one global page is always listed, with a menu of its pages. */
  listed: boolean;
}

/** The pages of a workflow rule: a new one, an existing one, and its summary. */
export const ruleEntries = ['create', 'edit', 'view'] as const;

/** A rule that administrators add to a transition; each of `ruleEntries` opens its frame. */
export interface WorkflowRule extends TitledPlace {
  kind: RuleKind;
  description: string;
}

const ASSIGNED_TITLE = 'Assigned checklist items';

const issue: readonly About[] = ['issue', 'project'];
const project: readonly About[] = ['project'];
const site: readonly About[] = [];

/** Every place of the product, by the kind of module, with an edition's names. */
export const placesOf = ({ name, label }: Names) => ({
  panels: [
    { ...places.panel, title: label, tooltip: label, shown: 'panel-in-centre', open: true, about: issue },
    {
      ...places.hierarchyPanel,
      title: 'Smart hierarchy',
      tooltip: 'Checklists of this issue, of those above and below it, and of linked ones',
      shown: 'signed-in',
      open: false,
      about: issue,
    },
  ] satisfies Panel[],
  context: { ...places.context, title: label, button: 'Open checklist', shown: 'panel-aside', about: issue } as const,
  portal: { ...places.portal, title: label, shown: 'always', about: issue } as const,
  project: { ...places.project, title: name, shown: 'project-admin', about: project } as const,
  pages: [
    { ...places.assigned, title: ASSIGNED_TITLE, shown: 'signed-in', about: site, listed: true },
    { ...places.hierarchy, title: 'Smart hierarchy', shown: 'signed-in', about: issue, listed: false },
    { ...places.templatesEditor, title: 'Smart templates editor', shown: 'signed-in', about: project, listed: false },
  ] satisfies Page[],
  projectPage: { ...places.projectAssigned, title: ASSIGNED_TITLE, shown: 'signed-in', about: project } as const,
  site: { ...places.site, title: name, shown: 'site-admin', about: site } as const,
  configure: { ...places.configure, title: 'Configure', shown: 'site-admin', about: site } as const,
  gadget: {
    ...{ ...places.gadget, title: 'Checklist progress', shown: 'signed-in', about: site },
    description: 'Progress of checklists by issue or person, and overdue items.',
  } satisfies TitledPlace & { description: string } as TitledPlace & { description: string },
  rules: [
    {
      ...{ ...places.validator, kind: 'validator', title: 'Checklist is done', shown: 'always', about: site },
      description: 'Blocks the transition while required items of the checklist are open, and names them.',
    },
    {
      ...{ ...places.condition, kind: 'condition', title: 'Checklist is done', shown: 'always', about: site },
      description: 'Hides the transition while required items of the checklist are open.',
    },
  ] satisfies WorkflowRule[],
  start: { ...places.start, title: 'Get started', shown: 'site-admin', about: site } as const,
});

/** The dialogs, which are modules on Connect only; on Forge a frame opens another one of the same pages. */
export const dialogPlaces: readonly (Place & { about: readonly About[] })[] = (
  Object.keys(dialogPaths) as DialogName[]
).map(name => ({ key: dialogs[name].key, path: dialogPaths[name], surface: 'dialog', about: issue }));
