import * as v from 'valibot';
import { type ChecklistChange, changeSchema } from '../../src/domain/change.ts';
import { packRowIds } from '../../src/domain/storage.ts';
import { makeChange } from '../../src/server/checklists/commit/request.ts';
import type { Site } from '../../src/server/checklists/service/site.ts';
import type { ChangeOutcome } from '../../src/server/checklists/service/types.ts';
import { asRefusal } from '../../src/server/errors/refusal.ts';
import { Refused } from '../../src/server/errors/refused.ts';
import { hashText } from '../../src/server/text-workers/hash.ts';
import { createHistory, ISSUE, madeOf } from '../server/support/history.ts';

export { ISSUE } from '../server/support/history.ts';

/** The variables of a change, as the client sends them. */
interface Input {
  clientId: string;
  base: { epoch: string; seq: number; hash: string; text?: string; rows?: string[] };
  change: unknown;
}

/** The server of one checklist: real decisions over a history in memory. */
export function createServer(initial: string) {
  const { conflictSeq, revisions, decide } = createHistory();
  const site = {
    itemLimit: Number.POSITIVE_INFINITY,
    changes: async ({ proposal }: Parameters<Site['changes']>[0]) => madeOf(decide([proposal]).outcomes[0]),
  } as unknown as Site;

  const change = (account: string, { clientId, base, change }: Input): Promise<ChangeOutcome> =>
    makeChange(site, account, { issueId: ISSUE, clientId, base, edit: v.parse(changeSchema, change) });

  const last = () => {
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
    revisions,
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
    /** The revisions with conflicts behind a position, oldest first. */
    conflictsAfter: ({ seq: after }: { seq: number }) =>
      revisions.flatMap(({ epoch, seq, account, conflicts }) =>
        seq > after && conflicts.length > 0 ? [{ epoch, seq, account, conflicts }] : [],
      ),
    /** Makes a change of a colleague over the newest text. */
    colleague: (clientId: string, edit: ChecklistChange) => {
      const { epoch, seq, hash } = last();
      return change('colleague', { clientId, base: { epoch, seq, hash }, change: edit });
    },
    /** The checklist as GraphQL answers it. */
    checklist: () => {
      const { epoch, seq, hash, name, text, rows } = last();
      const version = { epoch, seq, hash, name, text, rowIds: rows, conflictSeq: conflictSeq() };
      return { issueId: ISSUE, ...version, source: 'PROPERTY', copyNotice: null };
    },
    /** The tracker's copy. */
    property: () => {
      const { epoch, seq, name, text, rows } = last();
      return { v: 1, epoch, seq, name, text, progress: {}, rows: packRowIds(text, rows) };
    },
  };
}

export type Server = ReturnType<typeof createServer>;
