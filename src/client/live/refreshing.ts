import * as v from 'valibot';
import { readAs } from '../../domain/shape.ts';
import type { SaveState } from '../changes.ts';
import type { Reading } from '../reading.ts';
import type { Store } from '../store.ts';
import { createCoalesced } from './coalesced.ts';

/** A revision's place in its issue's history. */
export type Position = Pick<Reading, 'epoch' | 'seq'>;

interface Named {
  epoch?: string | undefined;
  seq?: number | undefined;
}

/** The position that an event names, unless its sender is of an earlier version. */
export const positionIn = ({ epoch, seq }: Named): Position | undefined =>
  epoch === undefined || seq === undefined ? undefined : { epoch, seq };

/** The result of a dialog that showed a checklist: the newest revision that it had. */
const closedShape = v.object({ issueId: v.string(), seq: v.number() });

/** Longest wait for the answer to an own change before an event about it causes a reading; milliseconds. */
const MAX_ANSWER_WAIT = 1_000;

/** Resolves when no change is being sent, or after a while. */
export const answered = (view: Store<{ state: SaveState } | undefined>): Promise<void> =>
  new Promise(resolve => {
    const end = () => {
      stop();
      clearTimeout(timer);
      resolve();
    };
    const check = () => {
      if (view.get()?.state !== 'saving') end();
    };
    const stop = view.subscribe(check);
    const timer = setTimeout(end, MAX_ANSWER_WAIT);
    check();
  });

export interface RefreshingOptions {
  issueId: string;
  held(): Reading | undefined;
  read(signal: AbortSignal): Promise<void>;
  /** Resolves once the answer to a change that is being sent has come, or is not waited for any longer. */
  answered(): Promise<void>;
}

/** When a checklist is read: all causes share the requests, and none is made for a revision that is held already. */
export interface Refreshing {
  /** Reads in any case. Resolves with a reading that began after this call. */
  refresh(signal?: AbortSignal): Promise<void>;
  /** Reads unless the held reading is as new as the revision; without one always. */
  catchUp(position?: Position): Promise<void>;
  /** As `refresh`, but not while a dialog covers the frame. */
  poll(signal: AbortSignal): Promise<void>;
  /** Postpones `catchUp` and `poll` until a dialog over this frame has closed with its result. */
  cover(closed: Promise<unknown>): Promise<void>;
}

export function createRefreshing({ issueId, held, read, answered }: RefreshingOptions): Refreshing {
  const { run, idle } = createCoalesced(read);
  /** Revisions that were announced and not looked for yet; `undefined` for an unknown one. */
  let announced: (Position | undefined)[] = [];
  let catching: Promise<void> | undefined;
  let cover: Promise<unknown> | undefined;

  const isHeld = (position: Position | undefined): boolean => {
    const { epoch, seq } = held() ?? { epoch: '', seq: 0 };
    return position !== undefined && position.epoch === epoch && position.seq <= seq;
  };
  const isBehind = () => announced.some(position => !isHeld(position));

  const catchAll = async (): Promise<void> => {
    while (announced.length > 0 && !cover) {
      // The answer to an own change, or the reading under way, may bring the revision.
      if (isBehind()) await answered();
      if (isBehind()) await idle();
      const isNeeded = isBehind();
      announced = [];
      if (isNeeded) await run();
    }
  };
  const start = (): Promise<void> => {
    catching ??= catchAll().finally(() => {
      catching = undefined;
    });
    return catching;
  };

  return {
    refresh: run,
    catchUp: async position => {
      announced.push(position);
      if (!cover) await start();
    },
    poll: async signal => {
      if (cover) announced.push(undefined);
      else await run(signal);
    },
    cover: async closed => {
      if (closed === cover) return;
      cover = closed;
      const result = readAs(closedShape, await closed.catch(() => undefined));
      if (cover !== closed) return;
      cover = undefined;
      // A dialog about another issue says nothing of this one; one that was dismissed may have changed it.
      if (!result) announced.push(undefined);
      else if (result.issueId === issueId) announced.push({ epoch: held()?.epoch ?? '', seq: result.seq });
      await start();
    },
  };
}
