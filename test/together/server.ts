import * as v from 'valibot';
import { type ChecklistChange, changeSchema } from '../../src/domain/change.ts';
import { makeChange } from '../../src/server/checklists/change/apply.ts';
import { mergeChanges, requestedOf } from '../../src/server/checklists/change/merge-changes.ts';
import type { State } from '../../src/server/checklists/change/state.ts';
import type { Revision } from '../../src/server/checklists/revisions.ts';
import type { Site } from '../../src/server/checklists/site.ts';
import type { ChangeOutcome } from '../../src/server/checklists/types.ts';
import { hashText } from '../../src/server/common/hash.ts';
import { asRefusal } from '../../src/server/errors/refusal.ts';
import { Refused } from '../../src/server/errors/refused.ts';
import { finish } from '../../src/text/sliced.ts';
import { builtIn } from '../../src/text/status-registry.ts';

export const ISSUE = '10001';
const EPOCH = 'e';

/** The variables of a change, as the client sends them. */
interface Input {
  clientId: string;
  base: { epoch: string; seq: number; hash: string; text?: string; rows?: string[] };
  change: unknown;
}

/** The server of one checklist: the real merge over a history in memory. */
export function createServer(initial: string) {
  const revisions: Revision[] = [];

  /** The same as `loadState` reads. */
  const stateFor = (requested: ReturnType<typeof requestedOf>): State => {
    const newest = revisions.toReversed();
    const hashes = new Set(requested.flatMap(({ hashes }) => hashes));
    const found = <Key>(keys: Iterable<Key>, is: (revision: Revision, key: Key) => boolean) =>
      [...keys].flatMap(key => newest.find(revision => is(revision, key)) ?? []);
    return {
      checklist: { source: 'PROPERTY', mirrored: true, project: null },
      last: newest[0] ?? null,
      copies: null,
      applied: found(
        requested,
        (revision, { account, client }) => revision.account === account && revision.client === client,
      ),
      hashed: found(hashes, ({ hash }, wanted) => hash === wanted),
      numbered: found(requested, ({ epoch, seq }, { base }) => epoch === base.epoch && seq === base.seq),
      recent: newest.slice(0, Math.max(0, ...requested.map(({ recent }) => recent))),
      webhooks: [],
    };
  };

  const site = {
    itemLimit: Number.POSITIVE_INFINITY,
    changes: async ({ account, change, site: { itemLimit } }: Parameters<Site['changes']>[0]) => {
      const proposals = [{ account, change, limit: itemLimit }];
      const context = { issue: ISSUE, epoch: EPOCH, statuses: builtIn };
      const merged = finish(mergeChanges(context, stateFor(requestedOf(proposals)), proposals));
      revisions.push(...merged.revisions);
      const [outcome] = merged.outcomes;
      if (!outcome || 'error' in outcome) throw outcome?.error;
      return outcome.value;
    },
  } as unknown as Site;

  const change = (account: string, { clientId, base, change }: Input): Promise<ChangeOutcome> =>
    makeChange(site, account, { issueId: ISSUE, clientId, base, edit: v.parse(changeSchema, change) });

  const last = (): Revision => {
    const revision = revisions.at(-1);
    if (!revision) throw new Error('The server has no text.');
    return revision;
  };
  const start = async () => {
    const base = { epoch: '', seq: 0, hash: hashText(''), text: '' };
    await change('first author', {
      clientId: 'first',
      base,
      change: { kind: 'updateChecklistFromText', text: initial },
    });
  };

  return {
    start,
    revisions: revisions as readonly Revision[],
    text: () => last().text,
    last,
    /** Answers a change as GraphQL does. */
    async answerChange(account: string, input: Input) {
      const answer = { conflicts: [], notices: [], errors: [], checklist: null };
      try {
        const { checklist, conflicts, notices } = await change(account, input);
        return { ...answer, checklist, conflicts, notices };
      } catch (error) {
        const refused = asRefusal(error);
        if (!(refused instanceof Refused)) throw error;
        const { code, field = null, message } = refused;
        return { ...answer, errors: [{ code, field, message }] };
      }
    },
    /** Makes a change of a colleague over the newest text. */
    colleague: (clientId: string, edit: ChecklistChange) => {
      const { epoch, seq, hash } = last();
      return change('colleague', { clientId, base: { epoch, seq, hash }, change: edit });
    },
    /** The checklist as GraphQL answers it. */
    checklist: () => {
      const { epoch, seq, hash, name, text, rows } = last();
      return { issueId: ISSUE, epoch, seq, hash, name, text, rowIds: rows, source: 'PROPERTY', copyNotice: null };
    },
    /** The tracker's copy. */
    property: () => {
      const { epoch, seq, name, text } = last();
      return { v: 1, epoch, seq, name, text, progress: {} };
    },
  };
}

export type Server = ReturnType<typeof createServer>;
