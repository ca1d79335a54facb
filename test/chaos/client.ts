import { randomUUID } from 'node:crypto';
import { type Random, random } from '../../bench/random.ts';
import type { ChecklistChange } from '../../src/domain/change.ts';
import { readChecklist } from '../../src/text/read.ts';
import { createSession, type Outcome, type Session, type View } from './addon.ts';
import { makeChange } from './changes.ts';
import type { Counters } from './counters.ts';
import { numberOf } from './rows.ts';
import { type ChaosSite, pause } from './site.ts';
import type { ChaosTemplate } from './template-author.ts';

/**
 * Milliseconds in which a change must be acknowledged or refused, faults and kills included: a process without a cached
 * permission waits for the tracker, and so does a conversion, by a minute for each lost answer.
 */
const CHANGE_TIMEOUT = 300_000;

export interface ClientOptions {
  site: Pick<ChaosSite, 'trackerUrl' | 'addons'>;
  name: string;
  /** The client's number, part of its rows' numbers. */
  number: number;
  account: string;
  issues: readonly string[];
  seed: number;
  tally: Counters;
  /** A template not applied yet. */
  template(): ChaosTemplate | undefined;
  isOver(): boolean;
}

/** A client that edits several checklists, often on an old base, and resends unanswered changes. */
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
      tally.violation({ what: 'never answered', issue, detail: `${name}'s ${mutation}: ${outcome.why}` });
    } else {
      const { epoch, seq, text } = outcome.view;
      const about = { issue, who: name, clientId: sent.clientId, mutation };
      const { issueKey: key, conflicts } = outcome;
      const number = 'target' in made.edit ? numberOf(made.edit.target.text) : undefined;
      const converted = key !== null && number !== undefined && { converted: { key, number } };
      tally.acknowledged({ ...about, base, mine: made.mine(key), epoch, seq, text, conflicts, ...converted });
      // Some continue on an old base.
      if (r.int(5) > 0) bases.set(issue, outcome.view);
    }
  }
}

/** Sends a change until it is acknowledged or refused, like an outbox. */
async function deliver(
  session: Session,
  sent: { issueId: string; clientId: string; change: ChecklistChange },
  { epoch, seq, hash, text }: View,
  r: Random,
  url: () => string,
  tally: Counters,
): Promise<Outcome> {
  const { kind } = sent.change;
  const end = Date.now() + CHANGE_TIMEOUT;
  let base: { epoch: string; seq: number; hash: string; text?: string } = { epoch, seq, hash };
  const send = () => session.send({ ...sent, base }, url());
  // Some answers are lost, and some changes are sent twice at once.
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
    // Backoff, as in the outbox.
    await pause(20 + r.int(Math.min(2_000, 200 * (tries + 1))));
  }
  const distinct = new Set(
    answers.map(outcome => {
      if (outcome.kind === 'done') return `${outcome.view.seq} ${outcome.view.hash}`;
      return outcome.kind === 'refused' ? `${outcome.code}: ${outcome.message}` : outcome.kind;
    }),
  );
  if (distinct.size > 1) {
    const detail = `${kind} was answered with ${[...distinct].join(' and with ')}`;
    tally.violation({ what: 'one change, two answers', issue: sent.issueId, detail });
  }
  return answers.find(({ kind }) => kind === 'done') ?? answers.at(-1) ?? { kind: 'open', why: 'nothing' };
}

/** A user without edit permission who tries to change a checklist. */
export async function tryUnauthorized({
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
    if (outcome.kind === 'done') tally.violation({ what: 'a viewer wrote', issue: issueId, detail: 'added an item' });
  }
}
