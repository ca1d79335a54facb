import fc from 'fast-check';

/** Issues of the site. */
export const ISSUES = 3;
const REFUSALS = [400, 401, 403, 404, 409, 413] as const;

const at = fc.nat({ max: ISSUES - 1 });
const names = fc.constantFrom('On hold', 'QA', 'Waiting');
const isNotified = fc.boolean();
const scope = fc.constantFrom('site', 'project', 'issue');
const copy = fc.constantFrom('property', 'field', 'both');

/** Calls that are of no single issue, or only read one; each can be refused alone. */
export const otherCalls = {
  fields: /\/field$/,
  issues: /\/issue\/bulkfetch$/,
  changelogs: /\/changelog/,
  swap: /\/3\/issue\/properties\//,
  projects: /\/project\/search$/,
  search: /\/search\//,
  account: /\/myself$/,
} as const;
const otherCallNames = Object.keys(otherCalls) as (keyof typeof otherCalls)[];

/** An action with its arguments. */
const actions = {
  // Users.
  edit: fc.record({ at, how: fc.constantFrom('add', 'tick', 'status', 'assign', 'replace'), name: names }),
  concurrent: fc.record({ at }),
  restoreVersion: fc.record({ at }),
  applyTemplate: fc.record({ at, name: names }),
  look: fc.record({ at }),
  leave: fc.record({ at }),
  // Writers in the tracker.
  field: fc.record({ at, isNotified }),
  property: fc.record({ at, isNotified }),
  move: fc.record({ at, isNotified }),
  hide: fc.record({ at, isNotified }),
  // Administrators.
  createStatus: fc.record({ name: names, checked: fc.boolean(), isOfProject: fc.boolean() }),
  renameStatus: fc.record({ name: names, to: names }),
  flagStatus: fc.record({ name: names }),
  deleteStatus: fc.record({ name: names }),
  renameBuiltIn: fc.record({ to: fc.constantFrom('Done', 'Finished', 'Ready') }),
  template: fc.record({ name: names, isOfProject: fc.boolean() }),
  changeTemplate: fc.record({ name: names, to: names }),
  deleteTemplate: fc.record({ name: names }),
  setDefaultTemplate: fc.record({ name: names, isOfProject: fc.boolean() }),
  chooseField: fc.record({ isNone: fc.boolean() }),
  importRival: fc.record({ at, mode: fc.constantFrom('APPEND', 'OVERRIDE') }),
  erase: fc.record({}),
  synchronize: fc.record({ scope, at }),
  check: fc.record({ scope, at }),
  repair: fc.record({ scope, at }),
  reinstall: fc.record({}),
  // The tracker.
  refuse: fc.record({ at, copy, status: fc.constantFrom(...REFUSALS) }),
  refuseRead: fc.record({ at, status: fc.constantFrom(400, 401, 403, 404, 410, 451) }),
  refuseProject: fc.record({ status: fc.constantFrom(...REFUSALS) }),
  refuseCall: fc.record({ call: fc.constantFrom(...otherCallNames), status: fc.constantFrom(403, 404, 410) }),
  archive: fc.record({ at }),
  deny: fc.record({}),
  restrict: fc.record({}),
  screen: fc.record({}),
  deafen: fc.record({}),
  loseAnswer: fc.record({ at, copy: fc.constantFrom('property', 'field') }),
  babble: fc.record({ from: fc.nat({ max: 12 }) }),
  fail: fc.record({ status: fc.constantFrom(429, 500, 503) }),
  allow: fc.record({}),
  // Processes and their work.
  work: fc.record({}),
  pass: fc.record({}),
  kill: fc.record({
    at,
    steps: fc.nat({ max: 24 }),
    during: fc.constantFrom('change', 'status', 'template', 'work', 'sweep'),
    name: names,
    isLong: fc.boolean(),
  }),
  restart: fc.record({ isLong: fc.boolean() }),
  loseJobs: fc.record({}),
  loseTimes: fc.record({ copy: fc.constantFrom('property', 'field') }),
  failJobs: fc.record({}),
  sweep: fc.record({}),
  recover: fc.record({}),
  backUp: fc.record({}),
  restoreBackup: fc.record({}),
};
export type ActionName = keyof typeof actions;
export const actionNames = Object.keys(actions) as ActionName[];

export type ArgumentsOf<Name extends ActionName> =
  (typeof actions)[Name] extends fc.Arbitrary<infer Values> ? Values : never;
export type Action = { [Name in ActionName]: { does: Name } & ArgumentsOf<Name> }[ActionName];

/** Any action of a name. */
export const actionOf = (name: ActionName): fc.Arbitrary<Action> =>
  (actions[name] as fc.Arbitrary<object>).map(values => ({ does: name, ...values }) as Action);

/** Actions of these names, between changes and work. */
const anyOf = (names: readonly ActionName[]): fc.Arbitrary<Action> =>
  fc.oneof(
    { weight: Math.ceil(names.length / 2), arbitrary: actionOf('edit') },
    { weight: Math.ceil(names.length / 3), arbitrary: actionOf('work') },
    { weight: Math.ceil(names.length / 6), arbitrary: actionOf('pass') },
    ...names.map(name => ({ weight: 1, arbitrary: actionOf(name) })),
  );

const inSequence = (names: readonly ActionName[]) => fc.array(anyOf(names), { minLength: 2, maxLength: 12 });

/** Random actions: of all names, or of a few, which meet each other more often. */
export const anySequence: fc.Arbitrary<Action[]> = fc.oneof(
  inSequence(actionNames),
  fc.uniqueArray(fc.constantFrom(...actionNames), { minLength: 2, maxLength: 6 }).chain(inSequence),
);
