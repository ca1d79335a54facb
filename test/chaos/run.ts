import { random } from '../../bench/random.ts';
import { faultsShape } from '../../src/tracker/page/data/shapes.ts';
import { editor, projectAdmin, siteAdmin, viewer } from '../../src/tracker/site/people.ts';
import { createSession } from './addon.ts';
import { createAuthor } from './author.ts';
import { check, checkHistory, differenceOf, settled } from './checks.ts';
import { pry, work } from './client.ts';
import { chaosFaults } from './faults.ts';
import { createForeigner, type ForeignWrite } from './foreign.ts';
import type { OwnWrite } from './gap.ts';
import type { Entry, Storage } from './journal.ts';
import { createKeeper } from './keeper.ts';
import { checkMade, relatedTo } from './made.ts';
import type { Violation } from './model.ts';
import { createScreen } from './screen.ts';
import { type ChaosSite, pause, type Revision, type StoreKind, startSite, until } from './site.ts';
import { createTally, type Tally } from './tally.ts';

export interface ChaosOptions {
  seed: number;
  store: StoreKind;
  /** Address of a PostgreSQL server, for that store. */
  postgres?: string;
  /** For how long people work, in seconds. */
  seconds: number;
  clients: number;
  /** Where others write behind the add-on's back. */
  foreign: readonly Storage[];
  /** Whether the tracker fails. */
  faults: boolean;
  /** Whether an administrator takes the checklist's field off the screens now and then. */
  offScreen: boolean;
  /** Seconds between two kills of a process; 0 for none. */
  killEvery: number;
  /** Seconds in which all must be quiet and equal after the last change. */
  settleWithin: number;
  onProgress?(line: string): void;
}

export interface ChaosReport {
  options: ChaosOptions;
  tally: Tally;
  violations: Violation[];
  kills: number;
  struck: ReadonlyMap<string, number>;
  foreignWrites: readonly ForeignWrite[];
  /** Writes of ours, and foreign ones that they took the place of unseen: of those, the ones that are lost for good. */
  made: readonly OwnWrite[];
  overrun: readonly ForeignWrite[];
  lostInGap: readonly ForeignWrite[];
  /** Foreign writes that were taken for what somebody made of an older text. */
  asOfOlder: readonly ForeignWrite[];
  /** Rows of ours that a foreign write of an older text ran over. */
  ranOver: number;
  gaveWay: number;
  revisions: number;
  /** How many were started over the whole site. */
  jobs: number;
  /** Issues that were made of items, and how often the field was off the screen. */
  issuesMade: number;
  offScreen: number;
  /** What happened to each issue: at the tracker, by others, and in our own history. */
  stories: readonly { issue: string; entries: readonly Entry[]; history: readonly Revision[] }[];
  /** What the processes printed. */
  output: string;
}

const ISSUES = ['10001', '10002', '10007'];
const ACCOUNTS = [editor, projectAdmin, siteAdmin].map(({ accountId }) => accountId);

/** Lets people work on a failing site for a while, waits until all is quiet, and says what does not add up. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, store, postgres, seconds, clients, foreign, onProgress = () => {} } = options;
  const site = await startSite({ store, postgres, processes: 2 });
  try {
    const tally = createTally();
    const end = Date.now() + seconds * 1000;
    const isOver = () => Date.now() >= end;
    if (options.faults) await setFaults(site, seed);
    const keeper = createKeeper(site, siteAdmin.accountId);
    const author = createAuthor(site, siteAdmin.accountId);
    const screen = createScreen(site, ISSUES, keeper.synchronize);
    const { isOff } = screen;
    const account = projectAdmin.accountId;
    const foreigner = foreign.length
      ? createForeigner({ site, account, issues: ISSUES, storages: foreign, seed: seed + 7, isOff })
      : undefined;
    const common = { site, issues: ISSUES, tally, isOver };
    const related = await Promise.all(ISSUES.map(issue => relatedTo(site, issue)));
    const progress = setInterval(() => onProgress(progressOf(tally)), 10_000);
    const killing = kill(site, options, isOver);
    const people = Array.from({ length: clients }, (_, index) =>
      work({
        ...common,
        name: `client ${index + 1}`,
        number: index + 1,
        account: ACCOUNTS[index % ACCOUNTS.length] ?? '',
        seed: seed * 1000 + index,
        template: author.take,
      }),
    );
    const offScreen = options.offScreen ? screen.work(seconds) : 0;
    await Promise.all([
      offScreen,
      ...people,
      pry({ ...common, account: viewer.accountId, seed: seed + 5 }),
      foreigner?.work(isOver),
      keeper.work(isOver),
      author.work(isOver),
      options.faults ? offline(site, seconds) : undefined,
      killing,
    ]);
    clearInterval(progress);
    onProgress(`${progressOf(tally)}; waiting until all is quiet`);
    const struck = options.faults ? await endFaults(site) : new Map<string, number>();
    await calm(site, tally, options.settleWithin);
    // What somebody writes while nobody else does must be taken up by itself.
    for (const issue of ISSUES) for (const storage of foreign) await foreigner?.write(issue, storage);
    if (foreigner) await calm(site, tally, options.settleWithin);

    const kept = await keeper.ended(options.settleWithin);
    const stories: { issue: string; entries: readonly Entry[]; history: Revision[] }[] = [];
    for (const issue of ISSUES) {
      stories.push({ issue, entries: site.journal.of(issue), history: await site.history(issue) });
    }
    const checked = stories.map(({ issue, history }) =>
      check({
        issue,
        changes: tally.changes.filter(change => change.issue === issue),
        foreigner,
        journal: site.journal,
        history,
      }),
    );
    const histories = stories.flatMap(({ issue, history }) => {
      const changes = tally.changes.filter(change => change.issue === issue);
      return checkHistory(issue, history, changes, site.journal.text(issue, 'property') ?? '');
    });
    const made = await Promise.all(
      ISSUES.map(async (issue, index) => {
        const changes = tally.changes.filter(change => change.issue === issue);
        return checkMade(issue, { before: related[index] ?? [], after: await relatedTo(site, issue), changes });
      }),
    );
    return {
      options,
      tally,
      violations: [
        ...tally.violations,
        ...checked.flatMap(({ violations }) => violations),
        ...histories,
        ...made.flatMap(({ violations }) => violations),
        ...kept.violations,
      ],
      kills: await killing,
      struck,
      foreignWrites: foreigner?.writes ?? [],
      made: checked.flatMap(({ made }) => made),
      overrun: checked.flatMap(({ overrun }) => overrun),
      lostInGap: checked.flatMap(({ lostInGap }) => lostInGap),
      asOfOlder: checked.flatMap(({ asOfOlder }) => asOfOlder),
      ranOver: [...(foreigner?.ranOver.values() ?? [])].reduce((sum, rows) => sum + rows.size, 0),
      gaveWay: checked.reduce((sum, each) => sum + each.replay.gaveWay, 0),
      revisions: stories.reduce((sum, { history }) => sum + history.length, 0),
      jobs: kept.jobs,
      issuesMade: made.reduce((sum, each) => sum + each.made.length, 0),
      offScreen: await offScreen,
      stories,
      output: site.addons.map(addon => addon.output()).join(''),
    };
  } finally {
    await site.stop();
  }
}

const progressOf = ({ changes, violations, repeats }: Tally) =>
  `${changes.length} changes acknowledged, ${repeats()} repeats, ${violations.length} violations`;

async function setFaults({ tracker }: ChaosSite, seed: number): Promise<void> {
  for (const payload of chaosFaults(seed)) {
    const { statusCode } = await tracker.app.inject({ method: 'POST', url: '/host/faults', payload });
    if (statusCode !== 204) throw new Error(`The tracker refuses the fault ${payload.name}.`);
  }
}

/** Ends them all; resolves with how often each has struck. */
async function endFaults({ tracker }: ChaosSite): Promise<Map<string, number>> {
  const faults = faultsShape.parse((await tracker.app.inject('/host/faults')).json());
  await tracker.app.inject({ method: 'DELETE', url: '/host/faults' });
  return new Map(faults.map(({ name, struck }) => [name ?? '', struck]));
}

/** Once a minute, and in the middle of a shorter run, the tracker is away altogether for a moment. */
async function offline({ tracker }: ChaosSite, seconds: number): Promise<void> {
  const every = Math.min(seconds, 60) * 1000;
  for (let left = seconds * 1000; left >= every; left -= every) {
    await pause(every / 2);
    const payload = { match: '.', by: 'addon', cut: 'before', forMs: 1_500, name: 'offline' };
    await tracker.app.inject({ method: 'POST', url: '/host/faults', payload });
    await pause(every / 2);
  }
}

/** Kills processes of the add-on and starts them again; resolves with how often. */
async function kill(
  { addons, journal }: ChaosSite,
  { seed, killEvery }: ChaosOptions,
  isOver: () => boolean,
): Promise<number> {
  const r = random(seed + 3);
  let kills = 0;
  while (killEvery > 0 && !isOver()) {
    const next = Date.now() + killEvery * (500 + r.int(1000));
    while (Date.now() < next && !isOver()) await pause(50);
    if (isOver()) break;
    const victim = r.pick(addons);
    // Every other one between the writing of a property and its revision.
    if (kills % 2 === 0) await Promise.race([journal.nextWrite(), pause(5_000)]);
    await victim.kill('SIGKILL');
    kills += 1;
    await pause(r.int(300));
    await victim.start();
  }
  return kills;
}

/** Waits until all is quiet; what is not equal then by itself must be so after somebody has looked at the issue. */
async function calm(site: ChaosSite, tally: Tally, seconds: number): Promise<void> {
  if (await quiet(site, seconds)) return;
  const session = createSession(site, editor.accountId);
  for (const issue of ISSUES) {
    const [property, field] = [site.journal.text(issue, 'property'), site.journal.text(issue, 'field')];
    if (settled(property ?? '') !== settled(field ?? '')) {
      const story = `${seconds} seconds after the last write; ${differenceOf(property ?? '', field ?? '')}`;
      tally.violation({ what: 'not equal before somebody looked', issue, story });
    }
    await session.read(issue, site.addons[0]?.url ?? '');
  }
  await quiet(site, seconds);
}

/**
 * Waits until webhooks are through, and property and field of each issue are equal and stay as they are; resolves with
 * whether that came in time.
 */
async function quiet({ tracker, journal }: ChaosSite, seconds: number): Promise<boolean> {
  await tracker.webhooksSent();
  const seen = () => ISSUES.map(issue => journal.of(issue).filter(({ did }) => did === 'write').length).join();
  const equal = () =>
    ISSUES.every(
      issue => settled(journal.text(issue, 'property') ?? '') === settled(journal.text(issue, 'field') ?? ''),
    );
  let [before, since] = [seen(), Date.now()];
  return until(
    () => {
      const now = seen();
      if (now !== before || !equal()) [before, since] = [now, Date.now()];
      return Date.now() - since > 1_000;
    },
    seconds * 1000,
    'It did not get quiet.',
  ).then(
    () => true,
    () => false,
  );
}
