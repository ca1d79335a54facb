import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { random } from '../../bench/random.ts';
import { full, seed } from '../run/seed.ts';
import { writeChecklist } from './api.ts';
import { kinds, requestTable, Session } from './collaboration/findings.ts';
import { endSession, runSteps, storedText } from './collaboration/run-session.ts';
import { observeMessages, UserWindow } from './collaboration/user-window.ts';
import { onSite } from './fixture.ts';
import { provokes } from './left-behind.ts';
import { artifacts, panel, people, picture, type Site } from './site.ts';

/**
 * A long session of four windows in one text, by random steps: nightly, or with `COLLABORATION=200`, the number of steps.
 * With `COLLABORATION_REMOVALS=0` users delete, undo and choose nothing, and no word at all may vanish.
 */

const steps = Number(process.env.COLLABORATION ?? (full ? 600 : 0));
const removes = process.env.COLLABORATION_REMOVALS !== '0';
const ROWS = 10;

/** Windows that are offline, and requests that the table counts. */
const EXPECTED_ERRORS = /ERR_INTERNET_DISCONNECTED|status of 429/;
provokes(EXPECTED_ERRORS);

/** Milliseconds that end what hangs. */
const LIMIT = 30 * 60_000;

describe.skipIf(steps === 0)('a long session of four windows (nightly, or with COLLABORATION=200)', () => {
  let site: Site;

  onSite(
    started => {
      site = started;
      return undefined;
    },
    () => ({ withForge: true }),
  );

  /** A new browser context of a user with that many windows on the issue. */
  async function open(session: Session, framework: string, user: string, names: readonly string[], issue: string) {
    const first = await site.visitor(user);
    const context = first.context();
    await first.evaluate(chosen => localStorage.setItem('tracker.frames', chosen), framework);
    await observeMessages(context, text => session.message(user, text));
    const windows: UserWindow[] = [];
    for (const [index, name] of names.entries()) {
      const page = index === 0 ? first : await context.newPage();
      if (index > 0) {
        page.on('pageerror', error => site.browserErrors.push(String(error)));
        page.on('console', message => {
          if (message.type() === 'error') site.browserErrors.push(message.text());
        });
      }
      const window = new UserWindow(name, user, page, random(seed + name.charCodeAt(0) * 31 + index));
      await site.open(page, issue);
      await panel(page).locator('li[data-key]').first().waitFor();
      windows.push(window);
    }
    return windows;
  }

  test.each([
    ['connect', 'WEB-5'],
    ['forge', 'WEB-6'],
  ])('nothing typed is lost, doubled or misplaced in %s frames', { timeout: LIMIT }, async (framework, issue) => {
    const session = new Session(removes);
    const rows = Array.from({ length: ROWS }, (_, index) => {
      const text = `R${String(index + 1).padStart(2, '0')}`;
      session.words.enter({ text, window: 'start', user: 'start', step: 0, storedAt: 0 });
      return `- ${text}`;
    });
    const writer = await site.visitor(people.admin);
    await writeChecklist(site.programs, writer, issue, rows.join('\n'));
    const observer = new UserWindow('observer', people.viewer, await site.visitor(people.viewer), random(seed));
    const stored = await storedText(site, observer, issue);
    const windows = [
      ...(await open(session, framework, people.editor, ['Emma', 'Emma 2'], issue)),
      ...(await open(session, framework, people.admin, ['Mia'], issue)),
      ...(await open(session, framework, people.projectAdmin, ['Pavel'], issue)),
    ];
    session.windows = windows;
    for (const window of windows.slice(1, 3)) await window.openEditor();

    await runSteps(windows, session, stored, steps);
    await endSession(windows, session, stored);
    for (const error of site.browserErrors.splice(0)) if (!EXPECTED_ERRORS.test(error)) session.found('errors', error);

    process.stderr.write(
      `${framework}, seed ${seed}, ${steps} steps: ${session.summary()}\n${requestTable(windows)}\n`,
    );
    const faults = session.findings.filter(({ kind }) => kind !== 'regrouped');
    if (faults.length > 0) {
      for (const { name, page } of windows) await picture(page, `collaboration ${framework} ${name}`);
      const lines = session.findings.map(({ kind, step, text }) => `${step} ${kinds[kind]}: ${text}`);
      const missing = session.findings.flatMap(({ kind, text }) => (kind === 'missing' ? session.words.in(text) : []));
      const report = [
        `Seed ${seed}, COLLABORATION=${steps}`,
        ...lines,
        'The last 30 steps:',
        session.latest(30),
        'What happened to the words that are nowhere:',
        session.about(missing),
        'Rows:',
        await stored(),
      ];
      process.stderr.write(`${report.join('\n')}\n`);
      await writeFile(join(artifacts, `collaboration ${framework} ${seed}.log`), session.latest(Infinity));
    }
    for (const { page } of windows) await page.context().close();
    expect(faults).toEqual([]);
  });
});
