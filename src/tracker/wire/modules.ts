import * as v from 'valibot';

/*
 * The API of the page: modules of apps, ready to be mounted.
 *
 * GET /host/context-token?addonKey=&issueKey=&projectKey=: text/plain, a token signed for this user and context.
 */

/** Places of the page in which modules of the add-on stand. */
export const placeShape = v.picklist([
  'issue-content',
  'issue-context',
  'portal',
  'project-admin',
  'general',
  'project-page',
  'admin',
  'post-install',
  'configure',
  'rule-create',
  'rule-edit',
  'rule-view',
  'gadget',
  'gadget-edit',
  'dialog',
]);
export type ModulePlace = v.InferOutput<typeof placeShape>;

/** The framework of an app's pages. */
export const frameworkShape = v.picklist(['connect', 'forge']);
export type Framework = v.InferOutput<typeof frameworkShape>;

export const ruleKind = v.picklist(['validator', 'condition']);
export type RuleKind = v.InferOutput<typeof ruleKind>;

const placedModule = v.object({
  addonKey: v.string(),
  key: v.string(),
  name: v.string(),
  icon: v.exactOptional(v.string()),
  /** Label of a context panel's button. */
  label: v.exactOptional(v.string()),
  url: v.pipe(v.string(), v.url()),
  /** Of a module for workflow rules. */
  rule: v.exactOptional(v.object({ kind: ruleKind, description: v.string() })),
  /** Absent content panels are offered by the quick-add button. */
  contentPresent: v.boolean(),
});

const entity = v.exactOptional(v.object({ id: v.string(), key: v.string() }));

/** Answer of `AP.context.getContext`; unknown members pass through. */
export const contextShape = v.looseObject({ jira: v.looseObject({ issue: entity, project: entity }) });

/** Its URL is signed, and valid for three minutes. */
const connectModule = v.object({
  ...placedModule.entries,
  framework: v.literal('connect'),
  dialog: v.exactOptional(
    v.object({
      size: v.exactOptional(v.string()),
      width: v.exactOptional(v.string()),
      height: v.exactOptional(v.string()),
      chrome: v.boolean(),
    }),
  ),
  /** Also the `options` of `createExtension`. */
  structuredContext: contextShape,
});
export type ConnectModule = v.InferOutput<typeof connectModule>;

/** Of a page of several, `key` is the page's route. */
const forgeModule = v.object({
  ...placedModule.entries,
  framework: v.literal('forge'),
  /** Answer of `view.getContext`, without the theme. */
  context: v.object({
    accountId: v.string(),
    cloudId: v.string(),
    siteUrl: v.string(),
    environmentId: v.string(),
    environmentType: v.string(),
    locale: v.string(),
    timezone: v.string(),
    moduleKey: v.string(),
    localId: v.string(),
    extension: v.record(v.string(), v.unknown()),
  }),
});
export type ForgeModule = v.InferOutput<typeof forgeModule>;

/**
 * GET /host/modules?place=&framework=&issueKey=&projectKey=&addonKey=&key=&rule=&gadget=: the user's modules there, conditions
 * evaluated, ready to be mounted. `framework` is `connect` unless given.
 */
export const connectModules = v.array(connectModule);
export const forgeModules = v.array(forgeModule);
export type HostModule = ConnectModule | ForgeModule;
