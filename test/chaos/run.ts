import { randomUUID } from 'node:crypto';
import { random } from '../../bench/random.ts';
import { editor, projectAdmin, siteAdmin, viewer } from '../../src/tracker/site/people.ts';
import { hasJobs } from '../browser/ledger.ts';
import { createSession } from './addon.ts';
import { check, differenceOf, type Evidence, type Kill, settled } from './checks.ts';
import { tryUnauthorized, work } from './client.ts';
import { checkConversions, relatedTo } from './conversions.ts';
import { type Counters, createCounters } from './counters.ts';
import { createChaosFaults, type Faults } from './faults.ts';
import { createFieldScreen } from './field-screen.ts';
import { createForeigner, type ForeignWrite } from './foreign.ts';
import type { Storage } from './journal.ts';
import type { Violation } from './model.ts';
import { createResync } from './resync.ts';
import { createRuleAuthor } from './rules.ts';
import { type ChaosSite, pause, type StoreKind, startSite, until } from './site.ts';
import { createTemplateAuthor } from './template-author.ts';

export interface ChaosOptions {
  seed: number;
  store: StoreKind;
  /** Address of a PostgreSQL server, for that store. */
  postgres?: string;
  /** Seconds of work. */
  seconds: number;
  clients: number;
  /** Copies with foreign writers. */
  foreign: readonly Storage[];
  /** Whether the tracker fails. */
  faults: boolean;
  /** Whether an administrator takes the field off the screens now and then. */
  offScreen: boolean;
  /** Seconds between two kills of a process; 0 for none. */
  killEvery: number;
  /** Seconds in which the system must be idle and equal after the last change. */
  settleWithin: number;
  onProgress?(line: string): void;
}

export interface ChaosReport {
  options: ChaosOptions;
  tally: Counters;
  violations: Violation[];
  kills: number;
  struck: ReadonlyMap<string, number>;
  foreignWrites: readonly ForeignWrite[];
  /** Foreign changes of the field that own writes overwrote at once, and permitted losses in the property. */
  overwritten: number;
  lost: readonly ForeignWrite[];
  asOurs: readonly ForeignWrite[];
  /** Own rows that a foreign text without a stamp overwrote. */
  ranOver: number;
  gaveWay: number;
  /** How often each way of writing a copy was used. */
  ownWrites: ReadonlyMap<string, number>;
  revisions: number;
  /** Milliseconds for which the tracker was offline, and the changes acknowledged meanwhile. */
  away: { time: number; changes: number };
  /** How many were started over the whole site. */
  jobs: number;
  /** Applications of templates by rules. */
  rules: number;
  /** Issues made of items, and how often the field was off the screen. */
  issuesMade: number;
  offScreen: number;
  /** The events of each issue: at the tracker, in its changelog, and in the app's history. */
  issueLogs: readonly IssueLog[];
  /** Output of the processes. */
  output: string;
}

type IssueLog = Pick<Evidence, 'issue' | 'entries' | 'fieldChanges' | 'copies' | 'history'>;

const ISSUES = ['10001', '10002', '10007'];
const ACCOUNTS = [editor, projectAdmin, siteAdmin].map(({ accountId }) => accountId);

/** Runs clients on a failing site for a while, waits until it is idle, and reports violations. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, store, postgres, seconds, clients, foreign, settleWithin, onProgress = () => {} } = options;
  const site = await startSite({ store, postgres, processes: 2 });
  try {
    const tally = createCounters();
    const resync = createResync(site, siteAdmin.accountId);
    const author = createTemplateAuthor(site, siteAdmin.accountId);
    const ruler = createRuleAuthor(site, ISSUES, siteAdmin.accountId, seed + 11);
    const screen = createFieldScreen(site, ISSUES, resync.synchronize);
    const faults = createChaosFaults(site, seed);
    const { isOff } = screen;
    const account = projectAdmin.accountId;
    const foreigner = foreign.length
      ? createForeigner({ site, account, issues: ISSUES, storages: foreign, seed: seed + 7, isOff })
      : undefined;
    const related = await Promise.all(ISSUES.map(issue => relatedTo(site, issue)));
    for (const issue of ISSUES) await begin(site, issue, tally);

    const end = Date.now() + seconds * 1000;
    const isOver = () => Date.now() >= end;
    const common = { site, issues: ISSUES, tally, isOver };
    if (options.faults) await faults.begin();
    const progress = setInterval(() => {
      onProgress(progressOf(tally));
      // The tracker drops old changes.
      for (const issue of ISSUES) void site.fieldChanges(issue);
    }, 10_000);
    const kills: Kill[] = [];
    const killing = kill(site, options, faults, isOver, kills);
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
    const away = options.faults ? takeTrackerOffline(faults, seconds, tally) : { time: 0, changes: 0 };
    await Promise.all([
      offScreen,
      away,
      ...people,
      tryUnauthorized({ ...common, account: viewer.accountId, seed: seed + 5 }),
      foreigner?.work(isOver),
      resync.work(isOver),
      author.work(isOver),
      ruler.work(isOver),
      killing,
    ]);
    clearInterval(progress);
    onProgress(`${progressOf(tally)}; waiting until all is quiet`);
    const struck = await faults.end();
    await ruler.end();
    // The sweep compensates for lost events; here an administrator has all issues read.
    await resync.synchronize();
    await calm(site, tally, settleWithin);
    // A foreign write while idle must be read without a sweep.
    for (const issue of ISSUES) for (const storage of foreign) await foreigner?.write(issue, storage);
    if (foreigner) await calm(site, tally, settleWithin);

    const kept = await resync.ended(settleWithin);
    const differing = await resync.check(settleWithin);
    const issueLogs: IssueLog[] = [];
    for (const issue of ISSUES) {
      const [entries, fieldChanges] = [site.journal.of(issue), await site.fieldChanges(issue)];
      issueLogs.push({ issue, entries, fieldChanges, copies: await site.copies(issue), history: [] });
    }
    for (const log of issueLogs) log.history = await site.history(log.issue);
    const judged = await Promise.all(
      issueLogs.map(async (log, index) => {
        const { issue, history } = log;
        const changes = tally.changes.filter(change => change.issue === issue);
        const before = related[index] ?? [];
        return {
          ...check({ ...log, changes, foreigner, kills }),
          made: checkConversions(issue, { before, after: await relatedTo(site, issue), changes }),
          rules: ruler.check(issue, history),
        };
      }),
    );
    const sum = (count: (each: (typeof judged)[number]) => number) =>
      judged.reduce((all, each) => all + count(each), 0);
    return {
      options,
      tally,
      violations: [
        ...tally.violations,
        ...judged.flatMap(({ violations, made, rules }) => [violations, made.violations, rules.violations].flat()),
        ...kept.violations,
        ...differing,
      ],
      kills: kills.length,
      struck,
      foreignWrites: foreigner?.writes ?? [],
      overwritten: sum(({ overwritten }) => overwritten),
      lost: judged.flatMap(({ lost }) => lost),
      asOurs: judged.flatMap(({ asOurs }) => asOurs),
      ranOver: [...(foreigner?.ranOver.values() ?? [])].reduce((all, rows) => all + rows.size, 0),
      gaveWay: sum(({ replay }) => replay.gaveWay),
      ownWrites: ownWrites(issueLogs),
      revisions: issueLogs.reduce((all, { history }) => all + history.length, 0),
      away: await away,
      jobs: kept.jobs,
      rules: sum(({ rules }) => rules.applied),
      issuesMade: sum(({ made }) => made.made.length),
      offScreen: await offScreen,
      issueLogs,
      output: site.addons.map(addon => addon.output()).join(''),
    };
  } finally {
    await site.stop();
  }
}

const progressOf = ({ changes, violations, repeats }: Counters) =>
  `${changes.length} changes acknowledged, ${repeats()} repeats, ${violations.length} violations`;

/** First digit of the numbers of rows that no client makes. */
const FIRST = '7';

/** The issue's first change: before it the tracker holds the checklist and the app writes nothing. */
async function begin(site: ChaosSite, issue: string, tally: Counters): Promise<void> {
  const session = createSession(site, editor.accountId);
  const url = site.addons[0]?.url ?? '';
  const base = await session.read(issue, url);
  if (!base) throw new Error(`Issue ${issue} cannot be read.`);
  const clientId = randomUUID();
  const change = { kind: 'addChecklistItemsFromText', text: `- Row ${FIRST}${issue} alpha` };
  const { epoch, seq, hash } = base;
  const outcome = await session.send({ issueId: issue, clientId, change, base: { epoch, seq, hash } }, url);
  if (outcome.kind !== 'done') throw new Error(`Issue ${issue} cannot be changed.`);
  const { view, conflicts } = outcome;
  const about = { issue, who: 'the first', clientId, mutation: change.kind, base, mine: view.text };
  tally.acknowledged({ ...about, epoch: view.epoch, seq: view.seq, text: view.text, conflicts });
}

function ownWrites(issueLogs: readonly IssueLog[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of issueLogs.flatMap(({ entries }) => entries)) {
    if (entry.did === 'notified' || (entry.did === 'write' && entry.by === 'people')) continue;
    const name = entry.did === 'write' ? `plain write of the ${entry.storage}` : entry.did;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Seconds of a run with one offline period, of a quarter of them. */
const OFFLINE_EVERY = 600;

/** Least milliseconds offline in which some change must be acknowledged, and those for what was sent before. */
const JUDGED = 10_000;
const SENT = 1_000;

/** Takes the tracker offline for minutes, in a short run for seconds, while changes go on. */
async function takeTrackerOffline(faults: Faults, seconds: number, tally: Counters): Promise<ChaosReport['away']> {
  const every = Math.min(seconds, OFFLINE_EVERY) * 1000;
  const time = every / 4;
  const away = { time: 0, changes: 0 };
  for (let left = seconds * 1000; left >= every; left -= every) {
    const next = Date.now() + every;
    await pause(time);
    let before = Promise.resolve(0);
    await faults.goOffline(time, () => {
      before = pause(SENT).then(() => tally.changes.length);
    });
    const changes = tally.changes.length - (await before);
    if (changes === 0 && time >= JUDGED) {
      tally.violation({ what: 'no change while the tracker was away', issue: 'all', detail: `${time} ms` });
    }
    away.time += time;
    away.changes += changes;
    await pause(Math.max(0, next - Date.now()));
  }
  return away;
}

/** Kills and restarts processes of the add-on; adds when to `kills`. */
async function kill(
  { addons, journal }: ChaosSite,
  { seed, killEvery }: ChaosOptions,
  { isOffline: isAway }: Faults,
  isOver: () => boolean,
  kills: Kill[],
): Promise<void> {
  const r = random(seed + 3);
  while (killEvery > 0 && !isOver()) {
    const next = Date.now() + killEvery * (500 + r.int(1000));
    // A process that starts while the tracker is offline has no cached permissions.
    while ((Date.now() < next || isAway()) && !isOver()) await pause(50);
    if (isOver()) break;
    const victim = r.pick(addons);
    // Every other kill is between the write of a copy and its record.
    if (kills.length % 2 === 0) await Promise.race([journal.nextWrite(), pause(5_000)]);
    if (isAway()) continue;
    const from = Date.now();
    await victim.kill('SIGKILL');
    kills.push({ from, to: Date.now() });
    await pause(r.int(300));
    await victim.start();
  }
}

/**
 * Waits until the system is idle; copies that differ then must be equal after an administrator has had all issues read.
 */
async function calm(site: ChaosSite, tally: Counters, seconds: number): Promise<void> {
  if (await quiet(site, seconds)) return;
  const session = createSession(site, editor.accountId);
  for (const issue of ISSUES) {
    const text = (await session.read(issue, site.addons[0]?.url ?? ''))?.text;
    for (const [name, copy] of Object.entries(await site.copies(issue))) {
      if (text !== undefined && settled(copy) === settled(text)) continue;
      const detail = `${seconds} seconds after the last write, the ${name}: ${differenceOf(copy, text ?? 'no answer')}`;
      tally.violation({ what: 'not equal without a sweep', issue, detail });
    }
  }
  await createResync(site, siteAdmin.accountId).synchronize();
  if (await quiet(site, seconds)) return;
  const detail = `still busy or unequal ${seconds} seconds after all issues were read`;
  tally.violation({ what: 'not idle', issue: 'all', detail });
}

/** Milliseconds without events that count as idle. */
const QUIET = 3_000;

/**
 * Waits until events, tasks and jobs are done and the copies of each issue equal the add-on's text and stay so;
 * resolves with whether that came in time.
 */
async function quiet(site: ChaosSite, seconds: number): Promise<boolean> {
  const session = createSession(site, editor.accountId);
  const url = site.addons[0]?.url ?? '';
  await site.tracker.webhooksSent();
  await site.tracker.tasksDone();
  let [before, since] = ['', Date.now()];
  const isQuiet = async () => {
    const texts: string[] = [];
    for (const issue of ISSUES) {
      const { property, field } = await site.copies(issue);
      const view = await session.read(issue, url);
      texts.push(...[property, field, view?.text ?? `unread ${Date.now()}`].map(settled));
    }
    const isEqual = texts.every((text, index) => text === texts[index - (index % 3)]);
    const now = JSON.stringify(texts);
    if (now !== before || !isEqual || (await hasJobs(url))) [before, since] = [now, Date.now()];
    return Date.now() - since > QUIET;
  };
  return until(isQuiet, seconds * 1000, 'It did not get quiet.').then(
    () => true,
    () => false,
  );
}
