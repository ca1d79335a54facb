/** The status of a probed call, as the app unless stated; `undefined` if it was not made. */
type StatusOf = (call: string, as?: 'app' | 'asker') => number | undefined;

const isFine = (status: number | undefined): boolean => status !== undefined && status < 400;
const isDenied = (status: number | undefined): boolean => status === 401 || status === 403;

/** Outcomes of probed calls, each with the setting to change. */
const outcomes: readonly { applies(status: StatusOf): boolean; says: string }[] = [
  {
    applies: status => isFine(status('check, accountId')),
    says: 'The app may ask for other accounts: FORGE_ASK=app saves the tokens of askers.',
  },
  {
    applies: status => status('check, accountId') === 403,
    says: 'The app may not ask for other accounts: leave FORGE_ASK=asker.',
  },
  {
    applies: status => status('check, accountId', 'asker') !== undefined && !isFine(status('check, own', 'asker')),
    says: 'A person may not ask with their own token. Set FORGE_ASK=app if the app may; else report it.',
  },
  {
    applies: status => status('check, our keys') === 400,
    says: "The site does not know the app's own permissions yet: until then Jira's permissions count. Probe again in some minutes.",
  },
  {
    applies: status => isDenied(status('readClientKey')),
    says: 'The client key of the Connect add-on is denied. Without a Connect past set FORGE_PAST=none; else approve the version with the scope read:app-data:jira.',
  },
  {
    applies: status => status('readIssue') === 403 || status('readIssue') === 404,
    says: 'The app does not see this issue. Add the role atlassian-addons-project-access to "Browse projects", or end the data security policy that blocks the app. Nothing to switch: its checklist stays usable, and its copies are written afterwards.',
  },
  {
    applies: status => isFine(status('readIssue')) && !isFine(status('writeProperty')),
    says: 'The issue takes no copies: it is archived, or the app may not edit it. Restore the issue, or add the role atlassian-addons-project-access to "Edit issues". Nothing to switch: the panel shows a notice.',
  },
  {
    applies: status => status('writeField, quiet') === 403 && isFine(status('writeField, loud')),
    says: 'Fields are written with mail to watchers in this project. Add the role atlassian-addons-project-access to "Administer projects" where that is not wanted.',
  },
  {
    applies: status => status('writeField, quiet') === 403 && status('writeField, loud') === 403,
    says: 'The app may not edit this issue. Add the role atlassian-addons-project-access to "Edit issues", or end the policy that blocks the app.',
  },
  {
    applies: status => status('check, site') !== 200,
    says: 'The site does not take a check without project permissions: administrators cannot open the settings. Report it.',
  },
  {
    applies: status => status('check, site') === 200 && isFine(status('check, empty list')),
    says: 'The site takes an empty list of project permissions, too. Nothing to switch: the list is left out.',
  },
  {
    applies: status => status('findHolders') !== undefined && !isFine(status('findHolders')),
    says: 'Holders of permissions are not found: the settings say "Unknown".',
  },
  {
    applies: status => !isFine(status('swapProperty, number')),
    says: 'Compare-and-set is refused: foreign writers of the property can be overwritten. Report it.',
  },
  {
    applies: status => !isFine(status('readChangelogs')),
    says: 'Changelogs of many issues are closed: sweeps read them one by one, which costs more points.',
  },
  {
    applies: status => isDenied(status('reportAccounts')),
    says: 'Reports of accounts are refused: approve the version with the scope report:personal-data.',
  },
  {
    applies: status => status('readRequest') !== undefined && !isFine(status('readRequest')),
    says: 'The app does not see the portal request: its panel stays read-only. Choose the distribution "Sharing" or the Marketplace.',
  },
];

/** Says what the outcomes of a probe mean for the settings; `migrations` are calls for the fields of Connect. */
export function adviceFor(status: StatusOf, migrations: readonly string[]): string[] {
  if (status('readMyself') === undefined) return [];
  const advice = outcomes.filter(({ applies }) => applies(status)).map(({ says }) => says);
  const hasTasks = migrations.some(call => status(call) === 200);
  return hasTasks
    ? [
        ...advice,
        "The data of Connect's fields is moved by tasks. Where one is not COMPLETE, start it with &migrate=1.",
      ]
    : advice;
}
