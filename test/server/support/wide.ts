import { beforeEach } from 'vitest';
import { startApp, type TestApp } from './app.ts';
import { EDITOR, type IssueWork, newIssue } from './checklists.ts';
import { type JobAnswer, jobsOf } from './jobs.ts';
import { started, type TestStore } from './stores.ts';
import { RIVAL_FIELD } from './tracker.ts';

export const ADMIN = [...EDITOR, 'ADMINISTER'];
/** A checklist in the rival's notation, and in the app's. */
export const RIVAL = '# Default checklist\n[x] Review\n[] ? Test\n>> also on phones\n--- Release\nTell support';
export const OURS = '# Default checklist\n+ Review\n- Test\n> also on phones\n## Release\n- Tell support';

/** A site with an administrator who starts jobs over many issues. */
export interface Wide {
  it: TestApp;
  admin: ReturnType<typeof jobsOf>;
  fieldsOf(id: string): Record<string, unknown>;
  propertiesOf(id: string): Record<string, unknown>;
  /** Creates issues with the rival's text in its field. */
  withRival(count: number, text?: string): Promise<IssueWork[]>;
  /** The job after all jobs have run. */
  ended(id?: string): Promise<JobAnswer>;
  /** Revisions, except for those of foreign changes. */
  revisions(): Promise<Record<string, unknown>[]>;
}

export async function startWide({ store, raw }: TestStore): Promise<Wide> {
  const it = await startApp(store);
  const admin = jobsOf(it, 'admin');
  it.tracker.granted.set('admin', ADMIN);
  const fieldsOf = (id: string) => it.tracker.issues.get(id)?.fields ?? {};
  return {
    it,
    admin,
    fieldsOf,
    propertiesOf: id => it.tracker.issues.get(id)?.properties ?? {},
    withRival: (count, text = RIVAL) =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const issue = await newIssue(it);
          fieldsOf(issue.id)[RIVAL_FIELD] = text;
          return issue;
        }),
      ),
    async ended(id = '') {
      await it.settled();
      return admin.find(id);
    },
    revisions: () =>
      raw(
        `select issue, seq, client, account, kind, text from revision
         where tenant = $1 and client not like 'foreign %' order by issue, seq`,
        [it.tenant.id],
      ),
  };
}

/** The site of the running test. */
export const wideOf = (use: () => TestStore): Wide =>
  started(
    beforeEach,
    () => startWide(use()),
    ({ it }) => it.app.close(),
  );
