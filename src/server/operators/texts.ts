import type { CopyState } from '../copies/check.ts';
import type { RefusedCopies } from '../copies/records/refused-copies.ts';

/** Everything that the operators' command says. It names sites, numbers and states; never a secret or a checklist's text. */

/** Commands with their arguments and descriptions, in the order of the help. */
export const commands = {
  tenants: { given: '', help: 'All sites, with their size and last use' },
  export: { given: 'TENANT FILE', help: 'Writes what an administrator of the site could export: no secrets' },
  remove: { given: 'TENANT', help: 'Deletes all data of a site now, instead of some days after its uninstallation' },
  prune: { given: '', help: 'Deletes what is past its retention now, as a daily job of each site does' },
  due: { given: '', help: 'Work that waits, runs or failed, and how long the oldest of it is overdue' },
  quota: { given: '', help: "Points of the tracker's hour, by class of work and by site" },
  check: {
    given: 'TENANT [ISSUE]',
    help: 'Compares the copies in the tracker and all that is stored of an issue, a project or a site with the newest versions',
  },
  reseal: { given: '', help: 'Seals what earlier keys (ENCRYPTION_KEYS_OLD) sealed with ENCRYPTION_KEY' },
} as const satisfies Record<string, { given: string; help: string }>;

export type CommandName = keyof typeof commands;

/** Options with their descriptions. */
const options = {
  '--json': 'Prints JSON instead of text',
  '--confirm NAME': 'remove: the name of the site again, as "tenants" shows it',
  '--installed': 'remove: also where the app is installed; it works there again after a new installation',
  '--dry-run': 'reseal: counts only',
  '--project PROJECT': 'check: all issues of this project instead of the whole site',
  '--repair': 'check: makes indexes anew at once; the running server reads and writes copies that differ',
  '--help': 'Prints this',
};

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

export const help = `Usage: node dist/server/admin.js COMMAND [ARGUMENT…] [OPTION…]

${columns(Object.entries(commands).map(([name, { given, help: what }]) => [`${name} ${given}`.trimEnd(), what] as const))}

TENANT is a site's name or id, ISSUE an issue's key or id, PROJECT a project's key or id. Options:

${columns(Object.entries(options))}

It reads the settings of the server from the environment. On the embedded database the server has to be stopped first.
Exit code 0: fine. 1: a finding, or nothing was done for the reason that is printed. 2: wrong usage. 69: the database
does not answer. 78: the settings cannot work.
`;

export const messages = {
  unknownCommand: (name: string) => `There is no command "${name}". "--help" lists them.`,
  usage: (name: CommandName) => `Usage: node dist/server/admin.js ${name} ${commands[name].given}`.trimEnd(),
  noTenant: (name: string) => `No site has the name or id "${name}". "tenants" lists them.`,
  severalTenants: (name: string, ids: readonly string[]) => `Several sites have the name "${name}": ${ids.join(', ')}.`,
  notOpened: (reason: string) => `The database does not answer: ${reason}`,
  exported: (rows: number, file: string) => `${countWithNoun(rows, 'row')} written to ${file}.`,
  fileExists: (file: string) => `${file} exists. Name another file, or remove it.`,
  unconfirmed: (name: string) => `Nothing was removed. Repeat the name of the site: --confirm ${name}`,
  installed: (name: string) =>
    `Nothing was removed: ${name} has the app installed. Uninstall it there, or add --installed.`,
  removed: (rows: number, name: string) => `${countWithNoun(rows, 'row')} of ${name} removed.`,
  pruned: (sites: number, revisions: number, removed: number) =>
    `${countWithNoun(sites, 'site')}: ${countWithNoun(revisions, 'version')} deleted, ${countWithNoun(removed, 'uninstalled site')} removed.`,
  failedFor: (name: string, error: unknown) => `${name}: ${error instanceof Error ? error.message : 'unknown'}`,
  nothingDue: 'No work waits.',
  failedWork: 'Work that is not tried again, until the next change or the next search for lost work:',
  points: (used: number, limit: number, until: string) =>
    `${decimal(used)} of ${decimal(limit)} points used, until ${until}.`,
  ownPool: 'own pool',
  notInstalled: (name: string) => `${name} does not have the app installed: its copies are not written.`,
  unknownProject: (project: string) => `The tracker shows the app no project "${project}".`,
  unknownIssue: (issue: string) => `No checklist is stored for "${issue}".`,
  notShown: 'The tracker does not show the issue to the app. Each hourly sweep looks for it.',
  compared: ({ issues, different, refused, hidden }: Record<'issues' | 'different' | 'refused' | 'hidden', number>) =>
    `${countWithNoun(issues, 'issue')} compared: ${decimal(different)} with differences, ${decimal(refused)} with refused copies${
      hidden > 0 ? `, ${decimal(hidden)} that the tracker does not show` : ''
    }.`,
  /** The time of a refused copy's next try. */
  nextTry: (time: Date | null) => (time ? messages.dueAt(time) : 'with the next sweep'),
  /** The time at which a copy is read or written; of one that has passed, that it has. */
  dueAt: (time: Date) => `${time.getTime() < Date.now() ? 'overdue since ' : ''}${time.toISOString()}`,
  differingProjects: 'Copies in projects that differ:',
  differs: (things: readonly string[]) => `Differs: ${things.join(', ')}.`,
  repaired: (issues: number, projects: number) =>
    `${countWithNoun(issues, 'issue')}${projects > 0 ? ` and the copies in ${countWithNoun(projects, 'project')}` : ''} repaired, or to be repaired by the running server.`,
  placesOf: ({ issues, projects, projectKeys }: RefusedCopies) =>
    projects === 0
      ? countWithNoun(issues, 'issue')
      : `${countWithNoun(projects, 'project')}: ${projectKeys.join(', ')}${projects > projectKeys.length ? ', …' : ''}`,
  refusedCopies: 'Copies that the tracker refuses, each with the time of the next try:',
  trackerFailed: (reason: string) => `The tracker was not asked, or did not answer: ${reason}`,
  resealed: (count: number, newest: number, isDry: boolean) =>
    `${countWithNoun(count, 'value')} ${isDry ? 'to be sealed' : 'sealed'} with ENCRYPTION_KEY, ${decimal(newest)} were before.`,
  unopened: (count: number, sites: readonly string[]) =>
    `${countWithNoun(count, 'value')} of ${sites.join(', ')} open with none of the keys.`,
} as const;

/** The state of a copy in the tracker, compared with the newest version. */
export const copyStates = {
  equal: 'equal',
  waits: 'differs, and is due',
  differs: 'differs, and nothing is due',
  off: 'is not written',
} as const satisfies Record<CopyState, string>;

export const decimal = (value: number): string => value.toLocaleString('en');

/** A number with its noun. */
export const countWithNoun = (count: number, noun: string): string =>
  `${decimal(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Bytes in the unit that leaves few digits. */
export function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const place = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
  return `${(count / 1000 ** place).toFixed(place === 0 ? 0 : 1)} ${units[place]}`;
}

/** Rows below their headings; numbers to the right. */
export function table(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const shown = [headings, ...rows].map(row => row.map(cell => (typeof cell === 'number' ? decimal(cell) : cell)));
  const width = (column: number) => Math.max(...shown.map(row => row[column]?.length ?? 0));
  const isNumber = (column: number) => rows.length > 0 && rows.every(row => typeof row[column] === 'number');
  return shown
    .map(row =>
      row
        .map((cell, column) => (isNumber(column) ? cell.padStart(width(column)) : cell.padEnd(width(column))))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
