import { ruleAccount } from '../../domain/person.ts';
import type { ChecklistService } from '../checklists/checklists.ts';
import { NOW } from '../checklists/types.ts';
import { Refused } from '../errors/refused.ts';
import { TrackerUnavailable } from '../errors/tracker.ts';
import type { IssueEvent } from '../platform/issue-events.ts';
import type { Tenants } from '../platform/tenants.ts';
import type { Caller } from '../platform/tokens.ts';
import { isIssueId } from '../platform/tracker/issue.ts';
import { readIssueHistory } from '../platform/tracker/issue-history.ts';
import type { Trackers } from '../platform/tracker/trackers.ts';
import type { Handlers, Queue } from '../queue/queue.ts';
import { background } from '../quota/work.ts';
import type { Store } from '../store/store.ts';
import { appliedTo, loadAssignments, noteApplied, type StoredAssignment } from '../templates/assignments.ts';
import { cameTo, concernsRules, mayCome } from './moment.ts';

export interface Rules {
  /** Something happened to an issue, or so the tracker says. */
  noticed(caller: Caller, issueId: string, event: IssueEvent): Promise<void>;
  jobs: Pick<Handlers, 'apply-rules'>;
}

export interface RulesOptions {
  store: Store;
  tenants: Tenants;
  queue: Queue;
  checklists: Pick<ChecklistService, 'permitted'>;
  trackerOf: Trackers;
}

/** Milliseconds after which an issue is looked at: several things often happen to it at once. */
const LOOK = 500;

export function createRules({ store, tenants, queue, checklists, trackerOf }: RulesOptions): Rules {
  return {
    async noticed({ tenant }, issue, event) {
      if (!isIssueId(issue) || !concernsRules(event)) return;
      const rules = await store.tenant(tenant.id, tx => loadAssignments(tx, tenant.id));
      if (!rules.some(rule => rule.enabled && mayCome(rule, event))) return;
      await queue.add('apply-rules', { tenant: tenant.id, issue }, { after: LOOK, key: `rules ${issue}` });
    },
    jobs: {
      async 'apply-rules'({ tenant: id, issue }) {
        const tenant = await tenants.find(id);
        // Without a license nothing is changed, and what happens meanwhile is not made up for.
        if (!tenant?.licensed) return;
        const open = await store.tenant(id, async tx => {
          const applied = await appliedTo(tx, id, issue);
          return (await loadAssignments(tx, id)).filter(rule => rule.enabled && !applied.has(rule.id));
        });
        if (open.length === 0) return;
        const story = await readIssueHistory(trackerOf(tenant, background('job')), issue);
        if (!story) return;

        /** In the rule's own name; once, also when this is cut off and done again. */
        const apply = ({ id: rule, template }: StoredAssignment) =>
          checklists.permitted({ tenant, account: ruleAccount(rule) }).change({
            issueId: issue,
            clientId: `rule:${rule}`,
            base: NOW,
            edit: { kind: 'applyTemplateToChecklist', templateIds: [template], mode: 'APPEND' },
          });

        for (const rule of open.filter(each => each.templateName !== null && cameTo(each, story))) {
          try {
            await apply(rule);
          } catch (error) {
            if (!(error instanceof Refused)) throw error;
            if (error.code === 'TRACKER_UNAVAILABLE') throw new TrackerUnavailable(error.message, error.retryAfter);
            // It does not fit, or the template has gone: that is no better at the issue's next event.
          }
          await store.tenant(id, tx => noteApplied(tx, id, issue, rule.id));
        }
      },
    },
  };
}
