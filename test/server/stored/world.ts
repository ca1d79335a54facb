import { askAs } from '../support/ask.ts';
import { add, update } from '../support/checklists.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { jobsOf } from '../support/jobs.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import type { TestStore } from '../support/stores.ts';
import { asObject } from '../support/sync.ts';
import { OWN_FIELD, RIVAL_FIELD } from '../support/tracker.ts';
import { type Action, ISSUES } from './actions.ts';
import { TABLES } from './backup.ts';
import { createDoers } from './doers.ts';
import { createFindings } from './findings.ts';
import { unscheduledWork } from './schedule.ts';
import { createSite, PROPERTY } from './site.ts';

/*
 * A site with some issues in two projects, and all that users, administrators, the tracker and failures do to it. After
 * each action, what is behind has a job; once it is idle, everything that is stored has to follow the texts.
 */

const HOUR = 3_600_000;

export interface World {
  /** Empties the site. */
  begin(): Promise<void>;
  /** Does it. What waits without a job or a reason afterwards is among what `idle` finds. */
  perform(action: Action): Promise<void>;
  /** Ends all failures, lets all tries come and all jobs run. Resolves with what is wrong then, or was before. */
  idle(): Promise<string[]>;
  /** Changes each issue by panel, field and property. Resolves with what is not carried everywhere. */
  carry(): Promise<string[]>;
  close(): Promise<void>;
}

export async function createWorld(use: TestStore): Promise<World> {
  const site = await createSite(use);
  const { raw, state, tracker } = site;
  const findings = createFindings(site);
  const doers = createDoers(site, findings);
  const admin = () => askAs(site.it(), 'admin');
  const drain = () => site.process().background.drain(site.it().jobs);
  let round = 0;
  let unscheduled: string[] = [];

  /** Lets all jobs run, with the searches of the maintenance. */
  async function settle() {
    for (let turn = 0; turn < 2; turn += 1) {
      site.elapse(HOUR);
      await site.recover();
      await site.process().background.passAll();
      await drain();
    }
  }

  const writers: readonly [string, (id: string, words: string) => Promise<void>][] = [
    ['user', (id, words) => site.edit(id, add(words))],
    [
      'mallory',
      async (id, words) => {
        const text = `${site.fieldText(id)}\n- ${words}`;
        site.writeField(id, text);
        await site.fieldEvent(id, text, 'mallory');
      },
    ],
    [
      'eve',
      async (id, words) => {
        const value = asObject(state.held(id).properties[PROPERTY]);
        state.held(id).properties[PROPERTY] = { ...value, text: `${site.propertyText(id)}\n- ${words}` };
        await site.noticed(id, 'eve', { kind: 'property', isOfChecklist: true });
      },
    ],
  ];

  return {
    async begin() {
      round += 1;
      state.reset();
      const emptied = [...TABLES, 'queue'].map(name => `${name}_rows as (delete from ${name})`);
      await raw(`with ${emptied.join(', ')} update tenant set status_version = status_version + 1`);
      await admin().mutate('updateSiteSettings', { textField: 'OWN' });
      Object.assign(site, { written: [], saved: [], unnoticed: new Set(), backup: undefined, isRestored: false });
      site.ids = Array.from({ length: ISSUES }, (_, index) => String(1_000_000 + round * 10 + index));
      for (const [index, id] of site.ids.entries()) {
        const project = index === ISSUES - 1 ? OTHER_PROJECT : PROJECT;
        const fields = { summary: 'An issue', [OWN_FIELD]: null, [RIVAL_FIELD]: null };
        const placed = { project: { id: project, key: `P${project}` } };
        tracker.issues.set(id, { properties: {}, fields: { ...fields, ...placed } });
        await site.edit(id, update('- [On hold] one\n- two\n+ three'));
      }
      await site.recover();
      await drain();
      findings.logged();
      unscheduled = [];
    },
    async perform({ does, ...values }) {
      await (doers[does] as (values: object) => Promise<unknown>)(values);
      unscheduled.push(...(await unscheduledWork(site)).map(what => `after ${does}: ${what}`));
    },
    async idle() {
      const wasProvoked = findings.logged();
      state.allow();
      await admin().mutate('updateSiteSettings', { textField: 'OWN' });
      await site.sweep();
      await settle();
      const before = await findings.differences(site.ids.filter(id => !site.unnoticed.has(id)));
      let after: string[] = [];
      if (site.unnoticed.size > 0) {
        // What the app got no event of is found by a synchronisation, which an administrator starts.
        await jobsOf(site.it(), 'admin').synchronize();
        await settle();
        after = await findings.differences(site.ids);
      }
      return [...unscheduled, ...wasProvoked, ...findings.logged(), ...before, ...after, ...(await findings.authors())];
    },
    async carry() {
      state.calm();
      // Each issue by another writer, so that all three are there once.
      const rows = new Map<string, { author: string; words: string }>();
      for (const [index, id] of site.ids.entries()) {
        const [author, write] = writers[(index + round) % writers.length] ?? ['', async () => {}];
        const words = site.words();
        rows.set(id, { author, words });
        await write(id, words);
      }
      await drain();
      const found: string[] = [];
      for (const [id, { author, words }] of rows) {
        for (const [copy, text] of Object.entries({ property: site.propertyText(id), field: site.fieldText(id) }))
          if (!text.includes(words)) found.push(`issue ${id}: a row by ${author} is not in the ${copy}`);
        site.written.push({ issue: id, words, authors: [author] });
      }
      return [...found, ...(await findings.authors()), ...findings.logged(), ...(await findings.differences(site.ids))];
    },
    close: async () => void (await site.it().app.close()),
  };
}
