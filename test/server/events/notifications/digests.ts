import * as v from 'valibot';
import { beforeEach } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { askAs } from '../../support/ask.ts';
import { EDITOR, type IssueWork, newIssue } from '../../support/checklists.ts';
import { later, type TestStore } from '../../support/stores.ts';

export const HOUR = 3_600_000;
const DAY = 24 * HOUR;
export const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Noon, to which the clock of notifications is set, and the days around it. */
const noon = new Date().setUTCHours(12, 0, 0, 0);
export const today = isoDay(noon);
export const tomorrow = isoDay(noon + DAY);
export const yesterday = isoDay(noon - DAY);

const sentShape = v.object({
  textBody: v.string(),
  htmlBody: v.string(),
  to: v.looseObject({ users: v.array(v.object({ accountId: v.string() })) }),
  restrict: v.object({ permissions: v.array(v.object({ key: v.string() })) }),
});

/** An app with an issue of its own for each test, and the e-mails that the tracker sent for it. */
export function withDigests(use: () => TestStore) {
  let started: { it: TestApp; issue: IssueWork } | undefined;
  const it = later(() => started?.it);
  beforeEach(async () => {
    const app = await startApp(use().store);
    app.advance(noon - Date.now());
    app.tracker.faults.push(({ path }) => (path.endsWith('/notify') ? new Response(null, { status: 204 }) : undefined));
    started = { it: app, issue: await newIssue(app, EDITOR, 'lead') };
    app.tracker.granted.set('ana', EDITOR);
    app.tracker.granted.set('ben', EDITOR);
    return () => app.app.close();
  });

  /** The notifications that the tracker got. */
  const notified = () =>
    it.tracker.calls
      .filter(({ path }) => path.endsWith('/notify'))
      .map(({ path, body }) => ({ issue: path.split('/').at(-2), ...v.parse(sentShape, body) }));
  const digests = () => it.release('send-digest');
  const due = async () => {
    await it.background.add('find-due', { tenant: it.tenant.id });
    const thrown = await it.release('find-due');
    return [...thrown, ...(await digests())];
  };
  /** Finds due items, without sending digests. */
  const found = async () => {
    await it.background.add('find-due', { tenant: it.tenant.id });
    await it.release('find-due');
  };
  const settings = (account: string) => {
    const { ask } = askAs(it, account);
    const ANSWER = '{ errors { code message } settings { mode muted } }';
    return {
      read: (issueId?: string) =>
        ask('query run($issueId: ID) { notificationSettings(issueId: $issueId) { mode muted } }', { issueId }),
      choose: (mode: string) =>
        ask(`mutation run($mode: NotifyMode!) { updateNotificationSettings(mode: $mode) ${ANSWER} }`, { mode }),
      mute: (issueId: string, muted = true) =>
        ask(
          `mutation run($issueId: ID!, $muted: Boolean!) { muteNotifications(issueId: $issueId, muted: $muted) ${ANSWER} }`,
          { issueId, muted },
        ),
    };
  };
  return { it, issue: later(() => started?.issue), notified, digests, due, found, settings };
}
