import { ruleAccount } from '../../domain/person.ts';
import type { ChecklistService } from '../checklists/service/checklists.ts';
import { NEWEST_BASE } from '../checklists/service/types.ts';
import { Refused } from '../errors/refused.ts';
import { TrackerUnavailable } from '../errors/tracker.ts';
import type { IssueEvent } from '../platform/issue-events.ts';
import type { Tenants } from '../platform/tenants.ts';
import type { Caller } from '../platform/tokens.ts';
import { isIssueId } from '../platform/tracker/issue.ts';
import { readIssueHistory } from '../platform/tracker/issue-history.ts';
import type { Trackers } from '../platform/tracker/trackers.ts';
import { eachOf, Incomplete, loopEndFor } from '../queue/each.ts';
import { type Handlers, type Queue, rulesKey } from '../queue/queue.ts';
import { background } from '../quota/work.ts';
import type { Store } from '../store/store.ts';
import { appliedTo, loadAssignments, noteApplied, type StoredAssignment } from '../templates/assignments.ts';
import { concernsRules, isTriggered, mayTrigger } from './moment.ts';

export interface Rules {
  /** Handles an event of an issue. */
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

const DEBOUNCE_MS = 500;

export function createRules({ store, tenants, queue, checklists, trackerOf }: RulesOptions): Rules {
  return {
    async noticed({ tenant }, issue, event) {
      if (!isIssueId(issue) || !concernsRules(event)) return;
      const rules = await store.tenant(tenant.id, tx => loadAssignments(tx, tenant.id));
      if (!rules.some(rule => rule.enabled && mayTrigger(rule, event))) return;
      await queue.add('apply-rules', { tenant: tenant.id, issue }, { after: DEBOUNCE_MS, key: rulesKey(issue) });
    },
    jobs: {
      async 'apply-rules'({ tenant: id, issue }) {
        const tenant = await tenants.find(id);
        // Without a license nothing is changed, and missed events are not repeated later.
        if (!tenant?.licensed) return;
        const open = await store.tenant(id, async tx => {
          const applied = await appliedTo(tx, id, issue);
          return (await loadAssignments(tx, id)).filter(rule => rule.enabled && !applied.has(rule.id));
        });
        if (open.length === 0) return;
        const history = await readIssueHistory(trackerOf(tenant, background('job')), issue);
        if (!history) return;

        /** The rule is the author. Its client id makes repetitions idempotent. */
        const apply = ({ id: rule, template }: StoredAssignment) =>
          checklists.permitted({ tenant, account: ruleAccount(rule) }).change({
            issueId: issue,
            clientId: `rule:${rule}`,
            base: NEWEST_BASE,
            edit: { kind: 'applyTemplateToChecklist', templateIds: [template], mode: 'APPEND' },
          });

        const applyOnce = async (rule: StoredAssignment) => {
          try {
            await apply(rule);
          } catch (error) {
            if (!(error instanceof Refused)) throw error;
            if (error.code === 'TRACKER_UNAVAILABLE') throw new TrackerUnavailable(error.message, error.retryAfter);
            // Permanent refusals, such as no room or a deleted template, count as applied.
          }
          await store.tenant(id, tx => noteApplied(tx, id, issue, rule.id));
        };
        const triggered = open.filter(each => each.templateName !== null && isTriggered(each, history));
        const result = await eachOf(triggered, rule => rule.id, applyOnce, {
          endsBy: error => (loopEndFor(error) !== 'never' ? 'at once' : 'never'),
        });
        if (result.failures.length > 0) throw new Incomplete(`rules for issue ${issue}`, result);
      },
    },
  };
}
