import { LIVE_EDITING, LIVE_ISSUES } from '../../domain/constants.ts';
import { createStore, type Store } from '../store.ts';
import { createChannel } from './channel.ts';
import type { LiveEvent } from './events.ts';
import { keepStream, type StreamServices, type Watched } from './stream.ts';

/** What a frame hears of while it shows something. */
export interface Live {
  /** Whether changes are told; if not, whoever shows something has to look himself now and then. */
  readonly connected: Store<boolean>;
  /** Hears of changes until the returned function is called, of those of an issue if one is named. */
  watch(interest: Interest, hear: (event: LiveEvent) => void): () => void;
}

export interface Interest {
  /** An issue, or another subject (`domain/subjects.ts`). */
  issue?: string;
  /** Its text is open for editing: others are told. */
  editing?: boolean;
  /** Items of the account's own are shown, on whatever issue. */
  assigned?: boolean;
}

/** Milliseconds in which several wishes become one stream. */
const SETTLE = 50;
/** Milliseconds between two questions who still wants what; a frame that was killed says no goodbye. */
const ROLL_CALL = 30_000;

/** All wishes as one that the server takes: what is beyond that is looked at now and then, what is edited last of all. */
const union = (wishes: Iterable<Watched>): Watched => {
  const all = [...wishes];
  const merged = (part: 'issues' | 'editing') => [...new Set(all.flatMap(wish => wish[part]))].sort();
  const editing = merged('editing').slice(0, LIVE_EDITING);
  const issues = [...new Set([...editing, ...merged('issues')])].slice(0, LIVE_ISSUES).sort();
  return { issues, editing, assigned: all.some(({ assigned }) => assigned) };
};

/**
 * The changes that the server tells, by one stream for all frames of ours in the browser: one of those that are seen
 * holds the stream and passes on what it hears. `owner` is the tenant and the account.
 */
export function createLive(services: StreamServices, owner: readonly string[]): Live {
  const connected = createStore(false);
  const interests = new Map<object, { interest: Interest; hear: (event: LiveEvent) => void }>();
  /** What other frames want, and in which round they last said so. Kept by the frame that leads. */
  const others = new Map<string, { wish: Watched; round: number }>();
  let round = 0;
  let stream: { watched: string; stop(): void } | undefined;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let rolls: ReturnType<typeof setInterval> | undefined;

  const seen = () => document.visibilityState !== 'hidden';
  const own = (): Watched => {
    const all = seen() ? [...interests.values()].map(({ interest }) => interest) : [];
    const issues = (some: readonly Interest[]) => some.flatMap(({ issue }) => (issue === undefined ? [] : [issue]));
    return union([
      {
        issues: issues(all),
        editing: issues(all.filter(({ editing }) => editing)),
        assigned: all.some(({ assigned }) => assigned),
      },
    ]);
  };

  const tell = (event: LiveEvent) => {
    for (const { interest, hear } of [...interests.values()]) {
      if (!('issue' in event) || event.issue === interest.issue) hear(event);
    }
  };
  const setConnected = (now: boolean) => {
    connected.set(now);
    channel.say({ type: 'state', connected: now });
  };
  const leave = () => {
    stream?.stop();
    stream = undefined;
  };

  /** Opens the stream that all wishes together need, if it is not that one already. */
  const settle = () => {
    if (!channel.leads()) return;
    const watched = union([own(), ...[...others.values()].map(({ wish }) => wish)]);
    const key = JSON.stringify(watched);
    if (stream?.watched === key) return;
    leave();
    const stop = keepStream(
      services,
      watched,
      event => {
        if (event.kind === 'open') setConnected(true);
        tell(event);
        channel.say({ type: 'event', event });
      },
      () => setConnected(false),
    );
    stream = { watched: key, stop };
  };
  const settleSoon = () => {
    clearTimeout(settling);
    settling = setTimeout(settle, SETTLE);
  };
  const rollCall = () => {
    round += 1;
    for (const [frame, { round: last }] of others) if (last < round - 2) others.delete(frame);
    channel.say({ type: 'ask' });
    settleSoon();
  };

  const channel = createChannel(owner, {
    lead: () => {
      others.clear();
      rollCall();
      rolls = setInterval(rollCall, ROLL_CALL);
    },
    follow: () => {
      clearInterval(rolls);
      leave();
    },
    hear: message => {
      if (message.type === 'want') {
        others.set(message.frame, { wish: message.wish, round });
        channel.say({ type: 'state', connected: connected.get() });
        settleSoon();
      } else if (channel.leads()) return;
      else if (message.type === 'event') tell(message.event);
      else if (message.type === 'state') connected.set(message.connected);
      else if (interests.size) channel.want(own());
    },
  });

  const wish = () => {
    const wanted = interests.size > 0 && seen();
    if (wanted) channel.join();
    channel.want(own());
    if (!wanted) channel.leave();
    settleSoon();
  };
  const shown = () => {
    if (!seen()) connected.set(false);
    wish();
  };

  return {
    connected,
    watch(interest, hear) {
      if (services.bridge.stream === undefined) return () => undefined;
      const key = {};
      if (interests.size === 0) {
        document.addEventListener('visibilitychange', shown);
        window.addEventListener('pagehide', channel.leave);
      }
      interests.set(key, { interest, hear });
      wish();
      return () => {
        interests.delete(key);
        wish();
        if (interests.size) return;
        document.removeEventListener('visibilitychange', shown);
        window.removeEventListener('pagehide', channel.leave);
      };
    },
  };
}
