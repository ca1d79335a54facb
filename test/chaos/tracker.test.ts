import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { random } from '../../bench/random.ts';
import { editor, projectAdmin, siteAdmin } from '../../src/tracker/site/people.ts';
import { startPrograms } from '../browser/programs.ts';
import { seed } from '../run/seed.ts';
import { createSession } from './addon.ts';
import { settled } from './checks.ts';
import { work } from './client.ts';
import { createCounters } from './counters.ts';
import { textOfProperty } from './journal.ts';
import { replay } from './model.ts';
import { repeatedIn, rowsOf } from './rows.ts';
import { ADDON_KEY, cookieOf, pause, until } from './site.ts';

const PROPERTY = `${ADDON_KEY}.checklist`;
const ISSUES = ['10001', '10002'];
const people = [editor, projectAdmin, siteAdmin];

const stored = v.object({
  fields: v.record(v.string(), v.unknown()),
  names: v.record(v.string(), v.string()),
  properties: v.record(v.string(), v.unknown()),
});

/** The tracker is a program of its own here, killed during its work. */
test('nothing that was acknowledged is lost where the tracker itself is killed', async () => {
  const { tracker, addon, stop } = await startPrograms({ persistentTracker: true });
  onTestFinished(stop);
  const tally = createCounters();
  const r = random(seed);
  const end = Date.now() + 10_000;
  const isOver = () => Date.now() >= end;

  async function kill(): Promise<number> {
    for (let kills = 0; ; kills += 1) {
      const next = Date.now() + 500 + r.int(2_000);
      while (Date.now() < next && !isOver()) await pause(20);
      if (isOver()) return kills;
      await tracker.kill('SIGKILL');
      await pause(r.int(300));
      await tracker.start();
    }
  }

  async function textsOf(issue: string): Promise<{ property: string; field: string }> {
    const url = `${tracker.url}/rest/api/2/issue/${issue}?properties=${PROPERTY}&expand=names`;
    const answer = await fetch(url, { headers: cookieOf(siteAdmin.accountId) });
    const { fields, names, properties } = v.parse(stored, await answer.json());
    const own = Object.keys(names).filter(id => names[id] === 'Checklist Text');
    const field = own.map(id => fields[id]).find(value => typeof value === 'string');
    return { property: textOfProperty(properties[PROPERTY]), field: String(field ?? '') };
  }

  const site = { trackerUrl: tracker.url, addons: [addon] };
  const working = Array.from({ length: 4 }, (_, index) =>
    work({
      ...{ site, issues: ISSUES, tally, isOver, template: () => undefined },
      name: `client ${index + 1}`,
      number: index + 1,
      account: people[index % people.length]?.accountId ?? '',
      seed: seed * 1_000 + index,
    }),
  );
  const [kills] = await Promise.all([kill(), ...working]);

  const session = createSession(site, siteAdmin.accountId);
  for (const issue of ISSUES) {
    // Both copies may wait for a tracker that was offline, and are equal as long as neither is written.
    const copied = async () => {
      const view = await session.read(issue, addon.url);
      const { property, field } = await textsOf(issue);
      return view !== undefined && [property, field].every(copy => settled(copy) === settled(view.text));
    };
    await until(copied, 60_000, `Property and field of ${issue} are not what the add-on holds, SEED=${seed}`);
    const { property } = await textsOf(issue);
    const { rows, violations } = replay(
      issue,
      tally.changes.filter(change => change.issue === issue),
    );
    expect(violations, `SEED=${seed}`).toEqual([]);
    expect(repeatedIn(property), `SEED=${seed}`).toEqual([]);
    expect(new Map(rowsOf(property)), `SEED=${seed}`).toEqual(new Map(rows));
  }
  expect(tally.violations, `SEED=${seed}`).toEqual([]);
  expect([tally.changes.length > 0, kills > 0]).toEqual([true, true]);
}, 240_000);
