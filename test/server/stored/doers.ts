import { randomUUID } from 'node:crypto';
import type { ChecklistEdit } from '../../../src/domain/change.ts';
import { OUTSIDE_ACCOUNT } from '../../../src/domain/person.ts';
import { checkIssue, checkSite } from '../../../src/server/operators/check.ts';
import { Declined } from '../../../src/server/operators/result.ts';
import { background } from '../../../src/server/quota/work.ts';
import { askAs } from '../support/ask.ts';
import { add, tick, update, workOn } from '../support/checklists.ts';
import { PROJECT } from '../support/issue-creation.ts';
import { jobsOf } from '../support/jobs.ts';
import { RIVAL_FIELD } from '../support/tracker.ts';
import type { ActionName, ArgumentsOf } from './actions.ts';
import { backUp } from './backup.ts';
import type { Findings } from './findings.ts';
import { PROPERTY, type TriedSite } from './site.ts';

const MINUTE = 60_000;

/** Does what actions say. */
export type Doers = { [Name in ActionName]: (values: ArgumentsOf<Name>) => Promise<unknown> };

export function createDoers(site: TriedSite, { trackerOf }: Pick<Findings, 'trackerOf'>): Doers {
  const { state, raw, tracker } = site;
  const admin = () => askAs(site.it(), 'admin');
  const jobs = () => jobsOf(site.it(), 'admin');
  const tenantId = site.it().tenant.id;

  const slugOf = async (name: string) => {
    const [row] = await raw('select slug, moves_to from status where tenant = $1 and name = $2', [tenantId, name]);
    return row?.moves_to === null ? String(row.slug) : undefined;
  };
  const templateOf = async (name: string) => {
    const [row] = await raw('select id from template where tenant = $1 and name = $2', [tenantId, name]);
    return row && String(row.id);
  };
  const scopeOf = (scope: string, place: number) =>
    scope === 'site' ? {} : scope === 'project' ? { projectId: PROJECT } : { issueId: site.issueAt(place) };
  const ofProject = (isOfProject: boolean) => (isOfProject ? { projectId: PROJECT } : {});
  const createStatus = (name: string, checked: boolean, isOfProject: boolean) =>
    admin().mutate('createStatus', { name, color: 'red', checked, ...ofProject(isOfProject) });
  const createTemplate = (name: string, isOfProject: boolean) =>
    admin().mutate('createTemplateFromText', { name, text: `- [${name}] ${site.words()}`, ...ofProject(isOfProject) });
  const work = () => site.process().background.work(site.it().jobs);

  return {
    async edit({ at, how, name }) {
      const id = site.issueAt(at);
      const words = site.words();
      const save = (edit: ChecklistEdit) => site.edit(id, edit, { words });
      if (how === 'add') return save(add(words));
      if (how === 'status') return save(add(`- [${name}] ${words}`));
      if (how === 'assign') return save(add(`- ! [~accountid:ann] ${words}`));
      if (how === 'replace') return save(update(`# Part\n- ${words}\n+ [${name}] of it\n- other (2027-01-01)`));
      const lines = site.propertyText(id).split('\n');
      const line = lines.findIndex(each => each.startsWith('- '));
      const text = lines[line]?.slice(2);
      return text === undefined ? undefined : site.edit(id, tick(line, text));
    },
    async concurrent({ at }) {
      const id = site.issueAt(at);
      const rows = [site.words(), site.words(), site.words()];
      const other = site.issueAt(at === 0 ? 1 : 0);
      const edits = rows.map((words, place) => site.edit(place === 2 ? other : id, add(words), { words }));
      await Promise.all([...edits, work()]);
    },
    async restoreVersion({ at }) {
      const id = site.issueAt(at);
      const [first] = await raw('select epoch, seq from revision where issue = $1 order by created, seq limit 1', [id]);
      const { epoch, seq } = first ?? {};
      if (first) await site.edit(id, { kind: 'restoreChecklistRevision', epoch: String(epoch), seq: Number(seq) });
    },
    async applyTemplate({ at, name }) {
      const template = await templateOf(name);
      const change = { kind: 'applyTemplateToChecklist', templateIds: [template ?? ''], mode: 'APPEND' } as const;
      if (template !== undefined) await site.edit(site.issueAt(at), change);
    },
    async look({ at }) {
      const id = site.issueAt(at);
      if (!tracker.issues.has(id)) return;
      await (await workOn(site.it(), id, 'user')).read().catch(error => {
        if (!state.isProvoked) site.errors.push(error);
      });
    },
    leave: ({ at }) => site.it().sync.left(tenantId, site.issueAt(at)),

    async field({ at, isNotified }) {
      const id = site.issueAt(at);
      if (site.fieldText(id).trim() === '') return;
      const words = site.words();
      const text = `${site.fieldText(id).trimEnd()}\n- ${words}`;
      site.writeField(id, text);
      site.written.push({ issue: id, words, authors: ['mallory'] });
      if (isNotified) await site.fieldEvent(id, text, 'mallory');
      else site.unnoticed.add(id);
    },
    async property({ at, isNotified }) {
      const id = site.issueAt(at);
      const value = state.held(id).properties[PROPERTY];
      if (typeof value !== 'object' || value === null) return;
      const words = site.words();
      state.held(id).properties[PROPERTY] = { ...value, text: `${site.propertyText(id).trimEnd()}\n- ${words}` };
      // Nothing but an event names the author. Without one, or if it may count as the missing one of an own write, the
      // value may be overwritten before it is read.
      const isSure = isNotified && !state.isDeaf;
      const authors = isSure ? ['eve'] : ['eve', OUTSIDE_ACCOUNT];
      site.written.push({ issue: id, words, authors, mayBeLost: !isSure });
      if (isNotified) await site.noticed(id, 'eve', { kind: 'property', isOfChecklist: true });
      if (!isSure) site.unnoticed.add(id);
    },
    async move({ at, isNotified }) {
      const id = site.issueAt(at);
      const changes = [{ id: 'project', name: 'Project', to: state.move(id) }];
      if (isNotified) await site.noticed(id, 'mallory', { kind: 'updated', changes });
      else site.unnoticed.add(id);
    },
    async hide({ at, isNotified }) {
      const id = site.issueAt(at);
      if (state.toggleShown(id) || !isNotified) return;
      // The app forgets it, and gets no event when it is shown again.
      await site.noticed(id, 'mallory', { kind: 'deleted' });
      site.unnoticed.add(id);
    },

    createStatus: ({ name, checked, isOfProject }) => createStatus(name, checked, isOfProject),
    async renameStatus({ name, to }) {
      const slug = await slugOf(name);
      if (slug) await admin().mutate('updateStatus', { slug, name: to });
    },
    async flagStatus({ name }) {
      const slug = await slugOf(name);
      const [row] = await raw('select checked from status where tenant = $1 and slug = $2', [tenantId, slug ?? '']);
      if (slug) await admin().mutate('updateStatus', { slug, checked: row?.checked !== true });
    },
    async deleteStatus({ name }) {
      const slug = await slugOf(name);
      if (slug) await admin().mutate('deleteStatus', { slug, moveTo: 'todo' });
    },
    renameBuiltIn: ({ to }) => admin().mutate('updateStatus', { slug: 'done', name: to }),
    template: ({ name, isOfProject }) => createTemplate(name, isOfProject),
    async changeTemplate({ name, to }) {
      const id = await templateOf(name);
      if (id) await admin().mutate('updateTemplate', { id, name: to, text: `- [${to}] ${site.words()}` });
    },
    async deleteTemplate({ name }) {
      const id = await templateOf(name);
      if (id) await admin().ask('mutation($id: ID!) { deleteTemplate(id: $id) { message } }', { id });
    },
    async setDefaultTemplate({ name, isOfProject }) {
      const [id, project] = [await templateOf(name), isOfProject ? PROJECT : undefined];
      const run =
        'mutation($id: ID, $project: ID) { setDefaultTemplate(projectId: $project, templateId: $id) { message } }';
      await admin().ask(run, { id: id ?? null, project });
    },
    async chooseField({ isNone }) {
      await admin().mutate('updateSiteSettings', { textField: isNone ? 'NONE' : 'OWN' });
      // A field that was not written for a time is written with the next change, or by a synchronisation.
      for (const id of site.ids) site.unnoticed.add(id);
    },
    async importRival({ at, mode }) {
      const id = site.issueAt(at);
      const words = site.words();
      state.held(id).fields[RIVAL_FIELD] = `- ${words}`;
      site.written.push({ issue: id, words, authors: ['admin'], mayBeLost: true });
      await jobs().import({ mode, issueId: id });
    },
    erase: () =>
      admin()
        .ask('mutation { erasePerson(accountId: "ann") { checklists errors { code } } }')
        .catch(error => {
          if (!state.isProvoked) throw error;
        }),
    synchronize: ({ scope, at }) => jobs().synchronize(scopeOf(scope, at)),
    check: ({ scope, at }) => jobs().check(scopeOf(scope, at)),
    async repair({ scope, at }) {
      const tenant = await site.tenant();
      const operated = { store: site.store, tenant, tracker: trackerOf(tenant, background('job')) };
      const repaired =
        scope === 'issue'
          ? checkIssue(operated, site.issueAt(at), true)
          : checkSite(operated, { project: scope === 'site' ? undefined : PROJECT, repair: true });
      await repaired.catch(error => {
        if (!(error instanceof Declined)) throw error;
      });
    },
    async reinstall() {
      const { tenants, tenant, wideJobs } = site.it();
      await tenants.uninstall(tenantId);
      await work();
      await tenants.install({ ...tenant, url: 'https://site.example.net' });
      await wideJobs.installed(tenantId);
      for (const id of site.ids) if (site.fieldText(id) !== site.propertyText(id)) site.unnoticed.add(id);
    },

    refuse: async ({ at, copy, status }) => state.refuse(site.issueAt(at), copy, status),
    refuseRead: async ({ at, status }) => state.refuseRead(site.issueAt(at), status),
    refuseProject: async ({ status }) => state.refuseProject(status),
    refuseCall: async ({ call, status }) => state.refuseCall(call, status),
    archive: async ({ at }) => state.toggleArchived(site.issueAt(at)),
    deny: async () => state.toggleDenied(),
    restrict: async () => state.toggleRestricted(),
    screen: async () => state.toggleScreen(),
    async deafen() {
      state.isDeaf = !state.isDeaf;
    },
    loseAnswer: async ({ at, copy }) => state.loseAnswer(site.issueAt(at), copy),
    babble: async ({ from }) => state.babble(from),
    fail: async ({ status }) => state.fail(status),
    allow: async () => state.allow(),

    async work() {
      site.elapse(MINUTE);
      await work();
    },
    async pass() {
      site.elapse(60 * MINUTE);
      await site.process().background.passAll();
      await work();
    },
    async kill({ at, steps, during, name, isLong }) {
      const [id, words, client] = [site.issueAt(at), site.words(), randomUUID()];
      const change = () => site.edit(id, add(words), { client, words });
      const works = {
        ...{ change, work, sweep: site.sweep },
        status: () => createStatus(name, true, isLong),
        template: () => createTemplate(name, isLong),
      };
      site.elapse(MINUTE);
      site.process().killAfter(steps);
      await works[during]().catch(() => undefined);
      site.process().killAfter(0);
      await site.restart(isLong);
      if (during === 'change' && !site.saved.some(each => each.client === client)) await change();
    },
    restart: ({ isLong }) => site.restart(isLong),
    async loseJobs() {
      await raw('delete from queue');
      await site.recover();
    },
    async loseTimes({ copy }) {
      // As an earlier version of the app left a refused copy.
      await raw('delete from queue');
      await raw(`update sync set ${copy}_due = null where tenant = $1 and field_seq is not null`, [tenantId]);
      await site.recover();
    },
    async failJobs() {
      await raw(
        `update queue set failed = 'Error', beat = null, again = null
          where tenant = $1 and name in ('sync', 'sweep', 'mirror', 'site-wide')`,
        [tenantId],
      );
      await site.recover();
    },
    sweep: site.sweep,
    recover: site.recover,
    async backUp() {
      site.backup = await backUp(site, tenantId);
    },
    async restoreBackup() {
      if (!site.backup) return;
      await site.backup.restore();
      site.isRestored = true;
      for (const id of site.ids) site.unnoticed.add(id);
      await site.restart(true);
    },
  };
}
