import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { ChecklistEdit } from '../../../src/domain/change.ts';
import { parseChecklistProperty, storageKey } from '../../../src/domain/storage.ts';
import { UNKNOWN_AUTHOR } from '../../../src/server/checklists/adopt.ts';
import { checkIssues, refusedCopies } from '../../../src/server/checklists/check.ts';
import { sameField } from '../../../src/server/checklists/copies/field.ts';
import { createOwnFields } from '../../../src/server/checklists/site.ts';
import { countStale } from '../../../src/server/checklists/stale.ts';
import { createMetrics } from '../../../src/server/common/metrics.ts';
import { differingCopies } from '../../../src/server/jobs/mirror.ts';
import { createTrackers } from '../../../src/server/platform/tracker/trackers.ts';
import { createRegistries } from '../../../src/server/statuses/registries.ts';
import { startAgain, startApp, type TestApp } from '../support/app.ts';
import { askAs } from '../support/ask.ts';
import { add, EDITOR, tick, update, workOn } from '../support/checklists.ts';
import { createDrivenQueue } from '../support/driven-queue.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { jobsOf } from '../support/jobs.ts';
import { createMortal } from '../support/mortal.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { unlimited } from '../support/quota.ts';
import type { TestStore } from '../support/stores.ts';
import { asObject } from '../support/sync.ts';
import { ADDON_ACCOUNT, type FakeIssue, OWN_FIELD, writeFields } from '../support/tracker.ts';

/*
 * A site with some issues in two projects, and all that users, administrators, the tracker and failures do to it. Once it
 * is idle, everything that is stored has to follow the texts.
 */

const PROPERTY = storageKey('checklist');
const ISSUES = 3;
/** Tables that a sequence fills. */
const TABLES = [
  ...[
    'checklist',
    'sync',
    'revision',
    'assigned_item',
    'status_use',
    'template_use',
    'status',
    'registry',
    'project_copy',
    'template',
    'template_version',
    'job',
    'queue',
  ],
];
const REFUSALS = [400, 401, 403, 404, 409, 413] as const;

const at = fc.nat({ max: ISSUES - 1 });
const names = fc.constantFrom('On hold', 'QA', 'Waiting');
const isNotified = fc.boolean();

/** Answers to calls, each of another kind. */
const babbles: readonly (() => Response | 'down')[] = [
  ...[400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 500, 502, 503].map(
    status => () => new Response('{}', { status }),
  ),
  () => new Response('<html>Not found</html>', { status: 404, headers: { 'content-type': 'text/html' } }),
  () => new Response('<html>Maintenance</html>', { status: 200, headers: { 'content-type': 'text/html' } }),
  () => new Response('', { status: 200 }),
  () => new Response('{"errorMessages": 7}', { status: 400 }),
  () => 'down',
];

/** An action with its arguments. */
const actions = {
  edit: fc.record({ at, how: fc.constantFrom('add', 'tick', 'status', 'assign', 'replace'), name: names }),
  field: fc.record({ at, isNotified }),
  property: fc.record({ at, isNotified }),
  createStatus: fc.record({ name: names, checked: fc.boolean(), isOfProject: fc.boolean() }),
  renameStatus: fc.record({ name: names, to: names }),
  flagStatus: fc.record({ name: names }),
  deleteStatus: fc.record({ name: names }),
  template: fc.record({ name: names, isOfProject: fc.boolean() }),
  renameBuiltIn: fc.record({ to: fc.constantFrom('Done', 'Finished', 'Ready') }),
  synchronize: fc.record({ scope: fc.constantFrom('site', 'project', 'issue'), at }),
  check: fc.record({ scope: fc.constantFrom('site', 'project', 'issue'), at }),
  move: fc.record({ at, isNotified }),
  refuse: fc.record({ at, copy: fc.constantFrom('property', 'field', 'both'), status: fc.constantFrom(...REFUSALS) }),
  refuseProject: fc.record({ status: fc.constantFrom(...REFUSALS) }),
  babble: fc.record({ from: fc.nat({ max: 12 }) }),
  fail: fc.record({ status: fc.constantFrom(429, 500, 503) }),
  allow: fc.record({}),
  screen: fc.record({}),
  work: fc.record({}),
  kill: fc.record({
    at,
    steps: fc.nat({ max: 24 }),
    during: fc.constantFrom('change', 'status', 'template', 'work', 'sweep'),
    name: names,
    isLong: fc.boolean(),
  }),
  sweep: fc.record({}),
  recover: fc.record({}),
  reinstall: fc.record({}),
};
export type ActionName = keyof typeof actions;
export const actionNames = Object.keys(actions) as ActionName[];

type ArgumentsOf<Name extends ActionName> = (typeof actions)[Name] extends fc.Arbitrary<infer Values> ? Values : never;
export type Action = { [Name in ActionName]: { does: Name } & ArgumentsOf<Name> }[ActionName];

/** Any action of a name. */
export const actionOf = (name: ActionName): fc.Arbitrary<Action> =>
  (actions[name] as fc.Arbitrary<object>).map(values => ({ does: name, ...values }) as Action);
export const anyAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: actionOf('edit') },
  { weight: 3, arbitrary: actionOf('work') },
  ...actionNames.map(name => ({ weight: 1, arbitrary: actionOf(name) })),
);

const raise = (): never => {
  throw new Error('There is no writer.');
};

/** Words of a row that was written to an issue. */
interface Written {
  issue: string;
  words: string;
  authors: readonly string[];
  mayBeLost?: boolean;
}

export interface World {
  /** Empties the site. */
  begin(): Promise<void>;
  perform(action: Action): Promise<void>;
  /** Ends all failures, lets all tries come and all jobs run. Resolves with what is wrong then. */
  idle(): Promise<string[]>;
  /** Changes each issue by panel, field and property. Resolves with what is not carried everywhere. */
  carry(): Promise<string[]>;
  close(): Promise<void>;
}

export async function createWorld({ store, raw }: TestStore): Promise<World> {
  const errors: unknown[] = [];
  /** A process's access to the database and the tracker, and its queue. */
  function createProcess(send: typeof fetch) {
    const mortal = createMortal(store, send);
    const background = createDrivenQueue(
      mortal.store,
      statement => raw(statement),
      error => {
        if (!mortal.isKilled()) errors.push(error);
      },
    );
    return { ...mortal, background };
  }
  // The tracker exists once the app is started.
  let process = createProcess((input, init) => it.tracker.fetch(input, init));
  let it: TestApp = await startApp(
    ...([process.store, {}, undefined, undefined, undefined] as const),
    () => process.send,
    process.background,
  );
  const { tracker } = it;
  const trackerOf = createTrackers({
    metrics: createMetrics(),
    quota: unlimited,
    send: tracker.fetch,
    sleep: async () => {},
  });
  const registries = createRegistries(store);
  const ownFields = createOwnFields();
  tracker.granted.set('admin', [...EDITOR, 'ADMINISTER', 'ADMINISTER_PROJECTS']);
  const admin = () => askAs(it, 'admin');
  let ids: string[] = [];
  let [count, round] = [0, 0];
  let isProvoked = false;
  let isBabbling = false;
  /** Words of rows that were written, and who may be named as their author. */
  let written: Written[] = [];
  /** Changes that users saved, by the id of the change. */
  let saved: { issue: string; client: string; kind: string }[] = [];
  /** Milliseconds by which the clock was advanced. */
  let elapsed = 0;
  /** Issues with a change that the app got no event of. */
  let unnoticed = new Set<string>();

  const held = (id: string): FakeIssue => {
    const issue = tracker.issues.get(id);
    if (!issue) throw new Error('No issue.');
    return issue;
  };
  const tenant = async () => {
    const found = await it.tenants.find(it.tenant.id);
    if (!found) throw new Error('Not installed.');
    return found;
  };
  const issueAt = (place: number) => ids[place] ?? '';
  const projectOf = (id: string) =>
    String(asObject(held(id).fields.project && held(id).fields.project)['id' as never] ?? PROJECT);
  const words = () => {
    count += 1;
    return `word${count} of ${Math.imul(count, 2_654_435_761) >>> 0}`;
  };
  const propertyText = (id: string) => {
    const stored = parseChecklistProperty(held(id).properties[PROPERTY]);
    return 'text' in stored ? stored.text : '';
  };
  const fieldText = (id: string) => String(held(id).fields[OWN_FIELD] ?? '');
  const noticed = async (id: string, account: string, event: object) => {
    const found = await it.tenants.find(it.tenant.id);
    if (found) await it.sync.noticed({ tenant: found, account }, id, { mayHide: false, ...event } as never);
  };
  const fieldEvent = (id: string, to: string, account: string) =>
    noticed(id, account, { kind: 'updated', changes: [{ id: OWN_FIELD, name: 'Checklist Text', to }] });
  tracker.onFields = async (id, fields) => fieldEvent(id, String(fields[OWN_FIELD] ?? ''), ADDON_ACCOUNT);

  const slugOf = async (name: string) => {
    const rows = await raw('select slug, moves_to from status where tenant = $1 and name = $2', [it.tenant.id, name]);
    return rows[0]?.moves_to === null ? String(rows[0].slug) : undefined;
  };
  const scopeOf = (scope: string, place: number) =>
    scope === 'site' ? {} : scope === 'project' ? { projectId: PROJECT } : { issueId: issueAt(place) };

  /** A change by a user. A page sends it again to the next process if the first one was killed. */
  async function editIssue(id: string, edit: ChecklistEdit, client: string = randomUUID(), words?: string) {
    tracker.granted.set('user', EDITOR);
    try {
      const issue = await workOn(it, id, 'user');
      const before = await issue.read();
      const { checklist } = await issue.change(edit, before, client);
      // Each row has words of its own; a tick may change nothing.
      if (words === undefined && checklist.seq === before.seq && checklist.epoch === before.epoch) return;
      saved.push({ issue: id, client, kind: edit.kind });
      if (words !== undefined) written.push({ issue: id, words, authors: ['user'] });
    } catch (error) {
      if (process.isKilled()) throw error;
    }
  }

  const elapse = (delay: number) => {
    elapsed += delay;
    it.elapse(delay);
  };

  /** Starts another process after one that was killed. */
  async function restart(isLong: boolean) {
    const killed = it;
    await raw(`update queue set beat = now() - interval '1 minute' where beat is not null`);
    if (isLong) await raw(`update watch set beat = now() - interval '1 minute'`);
    process = createProcess(tracker.fetch);
    it = await startAgain(killed, process);
    it.elapse(elapsed);
    await killed.app.close().catch(() => undefined);
    await it.sync.recover();
    await it.refreshIndexes();
    await it.wideJobs.recover();
  }

  async function sweep() {
    const run = { signal: new AbortController().signal, lastTry: false };
    await it.jobs.sweep({ tenant: it.tenant.id }, run).catch(error => {
      if (!isProvoked && !process.isKilled()) errors.push(error);
    });
  }

  const ofProject = (isOfProject: boolean) => (isOfProject ? { projectId: PROJECT } : {});
  const createStatus = (name: string, checked: boolean, isOfProject: boolean) =>
    admin().mutate('createStatus', { name, color: 'red', checked, ...ofProject(isOfProject) });
  const createTemplate = (name: string, isOfProject: boolean) =>
    admin().mutate('createTemplateFromText', { name, text: `- [${name}] ${words()}`, ...ofProject(isOfProject) });

  const doers: { [Name in ActionName]: (values: ArgumentsOf<Name>) => Promise<unknown> } = {
    async edit({ at: place, how, name }) {
      const id = issueAt(place);
      const row = words();
      const save = (edit: ChecklistEdit) => editIssue(id, edit, undefined, row);
      if (how === 'add') return save(add(row));
      if (how === 'status') return save(add(`- [${name}] ${row}`));
      if (how === 'assign') return save(add(`- ! [~accountid:ann] ${row}`));
      if (how === 'replace') return save(update(`# Part\n- ${row}\n+ [${name}] of it\n- other (2027-01-01)`));
      const line = propertyText(id)
        .split('\n')
        .findIndex(each => each.startsWith('- '));
      const text = propertyText(id).split('\n')[line]?.slice(2);
      return text === undefined ? undefined : editIssue(id, tick(line, text));
    },
    async field({ at: place, isNotified: hasEvent }) {
      const id = issueAt(place);
      if (fieldText(id).trim() === '') return;
      const row = words();
      const text = `${fieldText(id).trimEnd()}\n- ${row}`;
      writeFields(held(id), { [OWN_FIELD]: text }, 'mallory');
      written.push({ issue: id, words: row, authors: ['mallory'] });
      if (hasEvent) await fieldEvent(id, text, 'mallory');
      else unnoticed.add(id);
    },
    async property({ at: place, isNotified: hasEvent }) {
      const id = issueAt(place);
      const value = held(id).properties[PROPERTY];
      if (typeof value !== 'object' || value === null) return;
      const row = words();
      held(id).properties[PROPERTY] = { ...value, text: `${propertyText(id).trimEnd()}\n- ${row}` };
      // Nothing but an event names the author. Without one, the value may be overwritten before it is read.
      const authors = hasEvent ? ['eve'] : ['eve', UNKNOWN_AUTHOR];
      written.push({ issue: id, words: row, authors, mayBeLost: !hasEvent });
      if (hasEvent) await noticed(id, 'eve', { kind: 'property', isOfChecklist: true });
      else unnoticed.add(id);
    },
    createStatus: ({ name, checked, isOfProject }) => createStatus(name, checked, isOfProject),
    template: ({ name, isOfProject }) => createTemplate(name, isOfProject),
    async renameStatus({ name, to }) {
      const slug = await slugOf(name);
      if (slug) await admin().mutate('updateStatus', { slug, name: to });
    },
    async flagStatus({ name }) {
      const slug = await slugOf(name);
      const [row] = await raw('select checked from status where tenant = $1 and slug = $2', [it.tenant.id, slug ?? '']);
      if (slug) await admin().mutate('updateStatus', { slug, checked: row?.checked !== true });
    },
    async deleteStatus({ name }) {
      const slug = await slugOf(name);
      if (slug) await admin().mutate('deleteStatus', { slug, moveTo: 'todo' });
    },
    renameBuiltIn: ({ to }) => admin().mutate('updateStatus', { slug: 'done', name: to }),
    synchronize: ({ scope, at: place }) => jobsOf(it, 'admin').synchronize(scopeOf(scope, place)),
    check: ({ scope, at: place }) => jobsOf(it, 'admin').check(scopeOf(scope, place)),
    async move({ at: place, isNotified: hasEvent }) {
      const id = issueAt(place);
      const to = projectOf(id) === PROJECT ? OTHER_PROJECT : PROJECT;
      held(id).fields.project = { id: to, key: `P${to}` };
      const changes = [{ id: 'project', name: 'Project', to }];
      if (hasEvent) await noticed(id, 'mallory', { kind: 'updated', changes });
      else unnoticed.add(id);
    },
    async refuse({ at: place, copy, status }) {
      isProvoked = true;
      const id = issueAt(place);
      tracker.faults.push(({ method, path }) => {
        const isOfProperty =
          path.includes('/properties/') && (path.includes(`/issue/${id}/`) || path.includes('/issue/properties/'));
        const isOfField = path.endsWith(`/issue/${id}`);
        const isMeant = (copy !== 'field' && isOfProperty) || (copy !== 'property' && isOfField);
        return method === 'PUT' && isMeant ? new Response('{}', { status }) : undefined;
      });
    },
    async refuseProject({ status }) {
      isProvoked = true;
      tracker.faults.push(({ method, path }) =>
        method === 'PUT' && path.includes(`/project/${PROJECT}/`) ? new Response('{}', { status }) : undefined,
      );
    },
    async babble({ from }) {
      isProvoked = true;
      isBabbling = true;
      let count = from;
      tracker.faults.push(({ path }) => {
        if (!path.includes('/issue')) return undefined;
        count += 1;
        return babbles[count % babbles.length]?.();
      });
    },
    async fail({ status }) {
      isProvoked = true;
      let left = 3;
      tracker.faults.push(({ path }) => {
        if (!path.includes('/issue') || left === 0) return undefined;
        left -= 1;
        return new Response('{}', { status });
      });
    },
    async allow() {
      tracker.faults = [];
    },
    async screen() {
      const { [OWN_FIELD]: name, ...others } = tracker.names;
      tracker.names = name === undefined ? { ...others, [OWN_FIELD]: 'Checklist Text' } : others;
    },
    async work() {
      elapse(60_000);
      await process.background.work(it.jobs);
    },
    async kill({ at: place, steps, during, name, isLong }) {
      const [id, row, client] = [issueAt(place), words(), randomUUID()];
      const change = () => editIssue(id, add(row), client, row);
      const works = {
        change,
        status: () => createStatus(name, true, isLong),
        template: () => createTemplate(name, isLong),
        work: () => process.background.work(it.jobs),
        sweep: () => sweep(),
      };
      elapse(60_000);
      process.killAfter(steps);
      await works[during]().catch(() => undefined);
      process.killAfter(0);
      await restart(isLong);
      if (during === 'change' && !saved.some(each => each.client === client)) await change();
    },
    sweep,
    recover: () => it.sync.recover(),
    async reinstall() {
      await it.tenants.uninstall(it.tenant.id);
      await process.background.work(it.jobs);
      await it.tenants.install({ ...it.tenant, url: 'https://site.example.net' });
      for (const id of ids) if (fieldText(id) !== propertyText(id)) unnoticed.add(id);
    },
  };

  /** Lets all jobs run, with the searches of the maintenance and the sweep. */
  async function settle() {
    for (let turn = 0; turn < 2; turn += 1) {
      elapse(3_600_000);
      await it.sync.recover();
      await it.wideJobs.recover();
      await it.recoverProjects();
      await it.refreshIndexes();
      await process.background.passAll();
      await process.background.drain(it.jobs);
    }
  }

  const differences = async (expected: readonly string[]): Promise<string[]> => {
    const found: string[] = [];
    const now = await tenant();
    const site = {
      ...{ store, tenant: now, tracker: trackerOf(now, { work: 'person', account: null }) },
      field: () => ownFields(now, trackerOf(now, { work: 'person', account: null })),
      registries: () => registries(now),
    };
    for (const checked of await checkIssues(site, expected)) {
      const things = [...checked.differences, ...refusedCopies(checked)];
      if (things.length > 0) found.push(`issue ${checked.issue}: ${things.join(', ')}`);
    }
    for (const id of expected) {
      const [row] = await raw(
        `select text, mirrored from checklist c join revision r using (tenant, issue, epoch, seq) where issue = $1`,
        [id],
      );
      if (!row?.mirrored) continue;
      const text = String(row.text);
      if (propertyText(id) !== text) found.push(`issue ${id}: the property has ${propertyText(id)} instead of ${text}`);
      if (!sameField(fieldText(id), text)) found.push(`issue ${id}: the field has ${fieldText(id)} instead of ${text}`);
    }
    const mirrors = await differingCopies({ store, tenant: now, tracker: site.tracker }, undefined);
    found.push(...mirrors.map(({ key, copy }) => `project ${key}: ${copy}`));
    const refused = await raw('select project, copy from project_copy');
    if (refused.length > 0) found.push(`refused: ${JSON.stringify(refused)}`);
    const stale = await countStale(store, { tenant: now.id, project: null, kind: 'all' });
    if (stale > 0) found.push(`${stale} stale`);
    const queue = await raw(`select name, key, failed, due from queue where failed is not null or beat is not null`);
    if (queue.length > 0) found.push(`queue: ${JSON.stringify(queue)}`);
    const open = await raw(`select kind, state from job where tenant = $1 and ended is null`, [now.id]);
    if (open.length > 0) found.push(`jobs: ${JSON.stringify(open)}`);
    return found;
  };

  /** The history names the author of each change, and has each saved change once. */
  async function authors(): Promise<string[]> {
    const found: string[] = [];
    for (const { issue, words: row, authors: named, mayBeLost = false } of written) {
      const [first] = await raw(
        `select account from revision where issue = $1 and text like '%' || $2 || '%' order by created, seq limit 1`,
        [issue, row],
      );
      if (!first && mayBeLost) continue;
      if (!named.some(author => author === first?.account))
        found.push(`issue ${issue}: ${row} has the author ${first?.account} instead of ${named.join(' or ')}`);
    }
    for (const { issue, client, kind } of saved) {
      const rows = await raw('select account, kind from revision where issue = $1 and client = $2', [issue, client]);
      if (!isDeepStrictEqual(rows, [{ account: 'user', kind }]))
        found.push(`issue ${issue}: a change by a user (${kind}) is in the history as ${JSON.stringify(rows)}`);
    }
    const strange = await raw(
      `select distinct kind, account from revision where tenant = $1 and issue = any($2) and not case kind
        when 'bringStatuses' then account = 'admin' when 'foreignField' then account = 'mallory'
        when 'foreignProperty' then account in ('eve', $3) else account = 'user' end`,
      [it.tenant.id, ids, UNKNOWN_AUTHOR],
    );
    return [...found, ...strange.map(({ kind, account }) => `a change of the kind ${kind} has the author ${account}`)];
  }

  /** Errors of the log that no failure of the tracker provoked. */
  function logged(): string[] {
    const all = errors.splice(0).map(String);
    if (!isProvoked) return all;
    // An answer that is not what the tracker documents is an error of its own.
    const bugs = isBabbling ? /TypeError|duplicate|violates|syntax/ : /Mismatch|TypeError|duplicate|violates|syntax/;
    return all.filter(line => bugs.test(line));
  }

  return {
    async begin() {
      round += 1;
      errors.length = 0;
      Object.assign(tracker, { faults: [], meanwhile: [], lost: [] });
      tracker.names = { ...tracker.names, [OWN_FIELD]: 'Checklist Text' };
      tracker.issues.clear();
      tracker.calls.length = 0;
      for (const properties of tracker.projects.values())
        for (const key of Object.keys(properties)) delete properties[key];
      const emptied = TABLES.map(name => `${name}_rows as (delete from ${name})`);
      await raw(`with ${emptied.join(', ')} update tenant set status_version = status_version + 1`);
      isProvoked = false;
      isBabbling = false;
      [written, saved] = [[], []];
      unnoticed = new Set();
      it.logged.length = 0;
      ids = Array.from({ length: ISSUES }, (_, index) => String(1_000_000 + round * 10 + index));
      for (const [index, id] of ids.entries()) {
        const project = index === ISSUES - 1 ? OTHER_PROJECT : PROJECT;
        const fields = {
          summary: 'An issue',
          [OWN_FIELD]: null,
          customfield_10050: null,
          project: { id: project, key: `P${project}` },
        };
        tracker.issues.set(id, { properties: {}, fields });
        await editIssue(id, update('- [On hold] one\n- two\n+ three'));
      }
      await process.background.drain(it.jobs);
      await it.refreshIndexes();
    },
    async perform({ does, ...values }) {
      await (doers[does] as (values: object) => Promise<unknown>)(values);
    },
    async idle() {
      const wasProvoked = logged();
      tracker.faults = [];
      tracker.names = { ...tracker.names, [OWN_FIELD]: 'Checklist Text' };
      await sweep();
      await settle();
      const known = ids.filter(id => !unnoticed.has(id));
      const before = await differences(known);
      let after: string[] = [];
      if (unnoticed.size > 0) {
        // What the app got no event of is found by a synchronisation, which an administrator starts.
        await jobsOf(it, 'admin').synchronize();
        await settle();
        after = await differences(ids);
      }
      return [...wasProvoked, ...logged(), ...before, ...after, ...(await authors())];
    },
    async carry() {
      isProvoked = false;
      const found: string[] = [];
      const writers: [string, (id: string, row: string) => Promise<void>][] = [
        ['user', (id, row) => editIssue(id, add(row))],
        [
          'mallory',
          async (id, row) => {
            const text = `${fieldText(id)}\n- ${row}`;
            writeFields(held(id), { [OWN_FIELD]: text }, 'mallory');
            await fieldEvent(id, text, 'mallory');
          },
        ],
        [
          'eve',
          async (id, row) => {
            const value = asObject(held(id).properties[PROPERTY]);
            held(id).properties[PROPERTY] = { ...value, text: `${propertyText(id)}\n- ${row}` };
            await noticed(id, 'eve', { kind: 'property', isOfChecklist: true });
          },
        ],
      ];
      // Each issue by another writer, so that all three are there once.
      const rows = new Map<string, { author: string; row: string }>();
      for (const [index, id] of ids.entries()) {
        const [author, write] = writers[(index + round) % writers.length] ?? raise();
        const row = words();
        rows.set(id, { author, row });
        await write(id, row);
      }
      await process.background.drain(it.jobs);
      for (const [id, { author, row }] of rows) {
        for (const [copy, text] of Object.entries({ property: propertyText(id), field: fieldText(id) }))
          if (!text.includes(row)) found.push(`issue ${id}: a row by ${author} is not in the ${copy}`);
      }
      for (const [issue, { author, row }] of rows) written.push({ issue, words: row, authors: [author] });
      found.push(...(await authors()));
      return [...found, ...logged(), ...(await differences(ids))];
    },
    close: async () => {
      await it.app.close();
    },
  };
}
