import { randomUUID } from 'node:crypto';
import { type Random, random } from '../../bench/random.ts';
import type { ChecklistChange } from '../../src/domain/change.ts';
import { readChecklist } from '../../src/text/read.ts';
import { createSession, type Outcome, type Session, type View } from './addon.ts';
import type { ChaosTemplate } from './template-author.ts';
import { makeChange } from './changes.ts';
import { numberOf } from './rows.ts';
import { type ChaosSite, pause } from './site.ts';
import type { Tally } from './counters.ts';

/**
 * Milliseconds in which a change must have been answered for good, faults and kills included: a process that knows no
 * permission yet waits for the tracker, and so does an issue made of an item, by a minute for each lost answer.
 */
const PATIENCE = 300_000;

export interface ClientOptions {
  site: Pick<ChaosSite, 'trackerUrl' | 'addons'>;
  name: string;
  /** Its number: makes its rows' numbers its own. */
  number: number;
  account: string;
  issues: readonly string[];
  seed: number;
  tally: Tally;
  /** A template that nobody has applied. */
  template(): ChaosTemplate | undefined;
  isOver(): boolean;
}

/** A user who works on several checklists, often on an old base, and sends again what was not answered. */
export async function work(options: ClientOptions): Promise<void> {
  const { site, name, number, account, issues, seed, tally, template, isOver } = options;
  const r = random(seed);
  const session = createSession(site, account);
  const bases = new Map<string, View>();
  let rows = 0;
  const fresh = () => `Row ${number * 10_000 + ++rows} ${r.pick(['alpha', 'beta', 'gamma'])}`;
  const url = () => r.pick(site.addons).url;

  while (!isOver()) {
    await pause(r.int(120));
    const issue = r.pick(issues);
    const known = r.int(4) === 0 ? undefined : bases.get(issue);
    const base = known ?? (await session.read(issue, url()));
    if (!base) continue;
    bases.set(issue, base);
    const checklist = readChecklist(base.text);
    const versions = tally.changes.filter(change => change.issue === issue).slice(-20);
    const made = makeChange(checklist, {
      random: r,
      fresh,
      template,
      earlier: versions.length ? r.pick(versions) : undefined,
    });
    if (!made) continue;
    const sent = { issueId: issue, clientId: randomUUID(), change: made.edit };
    const mutation = made.edit.kind;
    const outcome = await deliver(session, sent, base, r, url, tally);
    if (outcome.kind === 'refused') {
      tally.refused(outcome.code);
      bases.delete(issue);
    } else if (outcome.kind === 'open') {
      tally.violation({ what: 'never answered', issue, story: `${name}'s ${mutation}: ${outcome.why}` });
    } else {
      const { epoch, seq, text } = outcome.view;
      const about = { issue, who: name, clientId: sent.clientId, mutation };
      const { issueKey: key, conflicts } = outcome;
      const number = 'target' in made.edit ? numberOf(made.edit.target.text) : undefined;
      const converted = key !== null && number !== undefined && { converted: { key, number } };
      tally.acknowledged({ ...about, base, mine: made.mine(key), epoch, seq, text, conflicts, ...converted });
      // Some keep working on what they had.
      if (r.int(5) > 0) bases.set(issue, outcome.view);
    }
  }
}

/** Sends a change until it is answered for good, as an outbox does. */
async function deliver(
  session: Session,
  sent: { issueId: string; clientId: string; change: ChecklistChange },
  { epoch, seq, hash, text }: View,
  r: Random,
  url: () => string,
  tally: Tally,
): Promise<Outcome> {
  const { kind } = sent.change;
  const end = Date.now() + PATIENCE;
  let base: { epoch: string; seq: number; hash: string; text?: string } = { epoch, seq, hash };
  const send = () => session.send({ ...sent, base }, url());
  // Some answers get lost on their way, and some changes are sent twice at once.
  let toLose = r.int(10) === 0 ? 1 : 0;
  let twice = r.int(20) === 0;
  const answers: Outcome[] = [];
  for (let tries = 0; ; tries++) {
    if (tries > 0) tally.repeated();
    const given = await Promise.all(twice ? [send(), send()] : [send()]);
    twice = false;
    answers.push(...given.filter(({ kind }) => kind !== 'open'));
    const [last] = given;
    if (!last) throw new Error('Nothing was sent.');
    if (
      given.some(outcome => outcome.kind === 'refused' && outcome.code === 'BASE_UNKNOWN') &&
      base.text === undefined
    ) {
      base = { ...base, text };
      answers.length = 0;
      continue;
    }
    if (last.kind !== 'open' && toLose-- <= 0) break;
    if (last.kind === 'open') tally.open(last.why);
    if (Date.now() > end) return last;
    // Longer each time, as an outbox waits.
    await pause(20 + r.int(Math.min(2_000, 200 * (tries + 1))));
  }
  const told = new Set(
    answers.map(outcome => {
      if (outcome.kind === 'done') return `${outcome.view.seq} ${outcome.view.hash}`;
      return outcome.kind === 'refused' ? `${outcome.code}: ${outcome.message}` : outcome.kind;
    }),
  );
  if (told.size > 1) {
    const story = `${kind} was answered with ${[...told].join(' and with ')}`;
    tally.violation({ what: 'one change, two answers', issue: sent.issueId, story });
  }
  return answers.find(({ kind }) => kind === 'done') ?? answers.at(-1) ?? { kind: 'open', why: 'nothing' };
}

/** A user who may only look, and tries to change all the same. */
export async function pry({
  site,
  account,
  issues,
  seed,
  tally,
  isOver,
}: Omit<ClientOptions, 'name' | 'number' | 'template'>) {
  const r = random(seed);
  const session = createSession(site, account);
  while (!isOver()) {
    await pause(500 + r.int(1000));
    const issueId = r.pick(issues);
    const input = {
      issueId,
      clientId: randomUUID(),
      base: { epoch: '', seq: 0, hash: '', text: '' },
      change: { kind: 'addChecklistItemsFromText', text: '- Row 88888' },
    };
    const outcome = await session.send(input, r.pick(site.addons).url);
    if (outcome.kind === 'refused') tally.refused(outcome.code);
    if (outcome.kind === 'done') tally.violation({ what: 'a viewer wrote', issue: issueId, story: 'added an item' });
  }
}
