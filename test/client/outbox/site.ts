import { createHash } from 'node:crypto';
import type { ChecklistEdit } from '../../../src/domain/change.ts';
import { storageKey } from '../../../src/domain/storage.ts';
import { ChangedMeanwhile } from '../../../src/text/errors.ts';
import { merge } from '../../../src/text/merge.ts';
import { performEdit } from '../../../src/text/perform.ts';
import { readChecklist } from '../../../src/text/read.ts';
import { type Answer, fakeBridge, SIGN_IN, sessionToken, status } from '../fake-bridge.ts';

/** The fate of one request: `lost` ones are not answered, before or after their execution. */
export type Fate = 'done' | 'refused' | 'lost before' | 'lost after';

/** As `hashText`, but synchronous. */
const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

interface Input {
  clientId: string;
  base: { seq: number; hash: string; text?: string };
}

/** A server and a tracker with one text, which release requests and answers in the order of `place`. */
export function createSite(fate: () => Fate, place: () => number) {
  const history = ['- start\n'];
  const outcomes = new Map<string, { seq: number; text: string }>();
  const applied: string[] = [];
  let waiting: (() => void)[] = [];
  const text = () => history.at(-1) ?? '';
  const seq = () => history.length;
  const write = (now: string) => {
    history.push(now.endsWith('\n') ? now : `${now}\n`);
  };

  const errors = (code: string) => [{ code, field: null, message: code }];
  /** Atomic, as with the real one's lease. */
  const apply = (edit: ChecklistEdit, { clientId, base }: Input, refused: boolean) => {
    const known = outcomes.get(clientId);
    if (known) return known;
    if (refused) return errors('FORBIDDEN');
    const before = history[base.seq - 1];
    const ours = before !== undefined && hash(before) === base.hash ? before : base.text;
    if (ours === undefined) return errors('BASE_UNKNOWN');
    try {
      const mine = performEdit(readChecklist(ours), edit);
      write(merge(ours, mine, text()).text);
    } catch (error) {
      if (error instanceof ChangedMeanwhile) return errors(error.code);
      throw error;
    }
    applied.push(clientId);
    const outcome = { seq: seq(), text: text() };
    outcomes.set(clientId, outcome);
    return outcome;
  };

  /** The bridge of one frame; a closed one receives nothing. */
  const bridge = (gone: () => boolean) => {
    const wait = () => new Promise<void>(resolve => waiting.push(() => gone() || resolve()));
    return fakeBridge({
      owner: async () => ({ tenant: 'tracker', account: 'account' }),
      tracker: async () => {
        await wait();
        const held = { v: 1, epoch: 'e', seq: seq(), name: 'Checklists', text: text(), progress: {} };
        await wait();
        return { properties: { [storageKey('checklist')]: held } };
      },
      server: async (path, { json }): Promise<Answer> => {
        if (path === SIGN_IN) return { token: sessionToken('one') };
        const { variables } = json as { variables: { input: Input & { change: ChecklistEdit } } };
        const { clientId, base, change } = variables.input;
        const fated = fate();
        await wait();
        if (fated === 'lost before') return status(503);
        const outcome = apply(change, { clientId, base }, fated === 'refused');
        await wait();
        if (fated === 'lost after') return status(503);
        const checklist = { issueId: '1', epoch: 'e', hash: 'h', name: 'Checklists', rowIds: [], source: 'PROPERTY' };
        const payload = Array.isArray(outcome)
          ? { checklist: null, errors: outcome }
          : { checklist: { ...checklist, ...outcome }, errors: [] };
        return { data: { changeChecklist: { conflicts: [], notices: [], ...payload } } };
      },
    });
  };

  return {
    bridge,
    text,
    /** A foreign change. */
    write,
    /** Client ids in the order in which their edits were made. */
    applied,
    /** Releases one of the waiting requests or answers. */
    release: () => {
      const going = waiting[place() % Math.max(1, waiting.length)];
      waiting = waiting.filter(other => other !== going);
      going?.();
    },
  };
}
