import { randomUUID } from 'node:crypto';
import { parsePosition, parseRevision, positionOf, revisionOf } from '../../../domain/api/revision.ts';
import { PAGE_SIZES } from '../../../domain/api/schemas.ts';
import type { ChecklistChange } from '../../../domain/change.ts';
import { api, refusals, storage } from '../../../domain/messages.ts';
import type { RequestLog } from '../../api-tokens/requests.ts';
import type { ApiCaller } from '../../api-tokens/verify.ts';
import type { ChecklistService } from '../../checklists/service/checklists.ts';
import type { AppIssue } from '../../checklists/service/issue.ts';
import { type ChangeBase, NEWEST_BASE, type Revision } from '../../checklists/service/types.ts';
import { Refused } from '../../errors/refused.ts';
import { BadInput } from '../../errors/request.ts';
import type { Call, Handlers } from './handlers.ts';
import { idempotencyKey, ifMatch } from './input.ts';
import { checklistView, statusesView } from './view.ts';

export interface ChecklistHandlersOptions {
  checklists: Pick<ChecklistService, 'asApp'>;
  requests: RequestLog;
}

type Handled = 'readChecklist' | 'listRevisions' | 'readRevision' | 'changeChecklist';

const revisionView = ({ epoch, seq, hash, created, account, kind, name }: Omit<Revision, 'text'>) => ({
  revision: revisionOf({ epoch, seq, hash }),
  ...{ created: created.toISOString(), author: account, kind, name },
});

/** The base of a change, by `If-Match` or by the request. Throws `Refused` if neither says it. */
function baseOf({ headers, body: { base } }: Pick<Call<'changeChecklist'>, 'headers' | 'body'>): ChangeBase {
  const match = ifMatch(headers);
  if (base && match !== undefined) throw new BadInput(api.twoBases);
  if (match === '*') return NEWEST_BASE;
  if (match) return { ...match, exactly: true };
  const stamp = base && parseRevision(base.revision);
  if (!stamp) throw new Refused('BASE_REQUIRED', api.baseRequired, 'If-Match');
  return { ...stamp, ...(base.text !== undefined && { text: base.text }) };
}

/** Throws `Refused` if a change would create an issue in a project that the token is not for. */
function refuseOtherProject({ projects }: ApiCaller, change: ChecklistChange): void {
  if (change.kind !== 'convertItemToIssue' || change.project === undefined) return;
  if (projects?.has(change.project) === false) throw new Refused('FORBIDDEN', api.projectDenied, 'change');
}

export function checklistHandlers({ checklists, requests }: ChecklistHandlersOptions): Pick<Handlers, Handled> {
  /** The issue of a request. Rejects if it is hidden from the app, or in a project that the token is not for. */
  async function issueOf(caller: ApiCaller, idOrKey: string) {
    const app = checklists.asApp(caller);
    const issue: AppIssue = await app.find(idOrKey, caller.projects !== undefined);
    // Answers as for an issue that does not exist, so that a token does not reveal other projects' issues.
    if (caller.projects?.has(issue.project) === false) throw new Refused('NOT_FOUND', storage.issueNotFound, 'issue');
    return { app, issue, statuses: await app.statuses(issue.project) };
  }

  return {
    async readChecklist({ caller, params }) {
      const { app, issue, statuses } = await issueOf(caller, params.issue);
      const reading = await app.read(issue.id);
      const body = {
        ...(await checklistView(app.run, issue, reading, statuses)),
        statuses: statusesView(statuses),
        notices: reading.notices,
      };
      return { body, revision: body.revision };
    },

    async listRevisions({ caller, params, query: { first = PAGE_SIZES.usual, after } }) {
      const { app, issue } = await issueOf(caller, params.issue);
      const before = after === undefined ? undefined : parsePosition(after);
      const { entries, next } = await app.history(issue, { first, filter: {}, ...(before && { before }) });
      const revisions = entries.map(entry => ({
        ...revisionView(entry),
        changes: entry.changes ? entry.changeCount : null,
      }));
      return { body: { revisions, next: next ? positionOf(next) : null } };
    },

    async readRevision({ caller, params }) {
      const { app, issue } = await issueOf(caller, params.issue);
      const stamp = parseRevision(params.revision);
      const revision = stamp && (await app.revision(issue.id, stamp));
      if (revision?.hash !== stamp?.hash || !revision)
        throw new Refused('NOT_FOUND', storage.revisionNotFound, 'revision');
      return { body: { ...revisionView(revision), text: revision.text } };
    },

    async changeChecklist({ caller, params, headers, body: request }) {
      if (!caller.tenant.licensed) throw new Refused('UNLICENSED', refusals.unlicensed);
      const base = baseOf({ headers, body: request });
      const key = idempotencyKey(headers);
      const { app, issue, statuses } = await issueOf(caller, params.issue);
      refuseOtherProject(caller, request.change);
      const { change: edit, dryRun: isDryRun = false, diagnostics = 'refuse' } = request;
      const clientId =
        key === undefined || isDryRun
          ? randomUUID()
          : await requests.claim(caller, key, { issue: issue.id, change: edit, base: request.base, diagnostics });
      const outcome = await app.change({
        ...{ issueId: issue.id, project: issue.project, clientId, base, edit, isDryRun },
        findings: diagnostics,
      });
      const view = await checklistView(app.run, issue, outcome.checklist, statuses);
      return {
        body: {
          ...view,
          ...{ dryRun: isDryRun, conflicts: outcome.conflicts, notices: outcome.notices },
          diagnostics: [...outcome.findings],
          issueKey: outcome.issueKey ?? null,
        },
        revision: view.revision,
      };
    },
  };
}
