import * as v from 'valibot';
import { readAs } from '../../domain/shape.ts';
import type { Reading } from '../reading.ts';
import type { Coalesced } from './coalesced.ts';

/** The event, or the result of the editor's dialog; frames of an earlier version name no revision. */
const changedShape = v.object({
  issueId: v.string(),
  epoch: v.optional(v.string()),
  seq: v.optional(v.number()),
});

/** A revision's place in its issue's history. */
export type Position = Pick<Reading, 'epoch' | 'seq'>;

/** The part of an event that names the revision that it is about. */
export interface Named {
  epoch?: string | undefined;
  seq?: number | undefined;
}

/** The position that an event names. None if it is about a refused copy, or its sender of an earlier version. */
const positionIn = ({ epoch, seq }: Named): Position | undefined =>
  epoch === undefined || seq === undefined ? undefined : { epoch, seq };

export interface RefreshingOptions extends Coalesced {
  issueId: string;
  held(): Reading | undefined;
  /** Resolves once the answer to a change that is being sent has come, or is not waited for any longer. */
  answered(): Promise<void> | undefined;
}

/** When a checklist is read: all causes share the requests, and none is made for a revision that is held already. */
export interface Refreshing {
  /** Reads in any case. Resolves with a reading that began after this call. */
  refresh(): Promise<void>;
  /** Reads unless the held reading is as new as the revision; without one always. */
  catchUp(named?: Named): Promise<void>;
  /** Catches up with what another of our frames says of its change, if it is about this issue. */
  changed(data: unknown): Promise<void>;
  /** As `refresh`, but not while a dialog covers the frame. */
  poll(): Promise<void>;
  /** Postpones `catchUp` and `poll` until a dialog over this frame has closed with its result. */
  cover(closed: Promise<unknown>): Promise<void>;
}

export function createRefreshing({ issueId, held, run, idle, answered }: RefreshingOptions): Refreshing {
  /** Revisions that were announced and not looked for yet; `undefined` for an unknown one. */
  const announced: (Position | undefined)[] = [];
  let catching: Promise<void> | undefined;
  let cover: Promise<unknown> | undefined;

  const isBehind = (position: Position | undefined): boolean => {
    const reading = held();
    return position?.epoch !== reading?.epoch || !position || position.seq > (reading?.seq ?? 0);
  };

  const catchAll = async (): Promise<void> => {
    while (announced.length > 0 && !cover) {
      if (announced.some(isBehind)) {
        // The answer to an own change, or the reading under way, may bring the revision.
        await answered();
        await idle();
      }
      if (announced.splice(0).some(isBehind)) await run();
    }
  };
  const start = (): Promise<void> => {
    catching ??= catchAll().finally(() => {
      catching = undefined;
    });
    return catching;
  };

  const catchUp = async (named: Named = {}): Promise<void> => {
    announced.push(positionIn(named));
    if (!cover) await start();
  };

  return {
    refresh: run,
    catchUp,
    changed: async data => {
      const changed = readAs(changedShape, data);
      if (changed?.issueId === issueId) await catchUp(changed);
    },
    poll: async () => {
      if (cover) announced.push(undefined);
      else await run();
    },
    cover: async closed => {
      if (closed === cover) return;
      cover = closed;
      const result = readAs(changedShape, await closed.catch(() => undefined)) ?? { issueId };
      if (cover !== closed) return;
      cover = undefined;
      // A dialog about another issue says nothing about this issue; a dismissed dialog may have changed it.
      if (result.issueId === issueId) announced.push(positionIn({ epoch: held()?.epoch, ...result }));
      await start();
    },
  };
}
