import { MAX_LIVE_EDITING, MAX_LIVE_SUBJECTS } from '../../domain/constants.ts';
import { createTimer } from '../../domain/timing.ts';
import { isVisible, onVisibility } from '../page.ts';
import { createStore, type Store } from '../store.ts';
import { createChannel } from './channel.ts';
import type { LiveEvent } from './events.ts';
import { printing } from './printing.ts';
import { keepStream, type StreamServices, type Watched } from './stream.ts';

/** Subscriptions of a frame to changes. */
export interface Live {
  /** Whether events arrive; if not, views have to poll. */
  readonly connected: Store<boolean>;
  /** Subscribes to events, of one issue if given. Returns the function that unsubscribes. */
  watch(interest: Interest, listener: (event: LiveEvent) => void): () => void;
}

export interface Interest {
  /** An issue, or another subject (`domain/subjects.ts`). */
  issue?: string;
  /** The subject is open for editing: collaborators are notified. */
  editing?: boolean;
  /** Assigned items of the account are shown, of any issue. */
  assigned?: boolean;
}

/** Subscriptions that change within this time share one stream. */
const SETTLE_DELAY_MS = 50;
/** The subscriptions of all frames are asked for in rounds, since frames may close without a message. */
const ROUND_MS = 30_000;

/** Whether this frame wants events, and may hold the stream. */
const isActive = () => isVisible() && !printing.get();

/** Merges subscriptions within the server's limits: the rest is polled; edited subjects come first. */
const union = (subscriptions: Iterable<Watched>): Watched => {
  const subscriptionList = [...subscriptions];
  const merged = (part: 'issues' | 'editing') =>
    [...new Set(subscriptionList.flatMap(watched => watched[part]))].sort();
  const editing = merged('editing').slice(0, MAX_LIVE_EDITING);
  const issues = [...new Set([...editing, ...merged('issues')])].slice(0, MAX_LIVE_SUBJECTS).sort();
  return { issues, editing, assigned: subscriptionList.some(({ assigned }) => assigned) };
};

/**
 * Creates the subscriptions to server events, with one stream for all our frames in the browser: one visible frame
 * holds the stream and forwards its events. `owner` is the tenant and the account.
 */
export function createLive(services: StreamServices, owner: readonly string[]): Live {
  const connected = createStore(false);
  const interests = new Map<object, { interest: Interest; listener: (event: LiveEvent) => void }>();
  /** Subscriptions of other frames, with the round of their last message. Used by the leader. */
  const otherFrames = new Map<string, { watched: Watched; round: number }>();
  let round = 0;
  let stream: { watched: string; stop(): void } | undefined;
  let rounds: ReturnType<typeof setInterval> | undefined;
  let stopVisibility = () => {};

  const ownSubscription = (): Watched => {
    const activeInterests = isActive() ? [...interests.values()].map(({ interest }) => interest) : [];
    const issues = (some: readonly Interest[]) => some.flatMap(({ issue }) => (issue === undefined ? [] : [issue]));
    return union([
      {
        issues: issues(activeInterests),
        editing: issues(activeInterests.filter(({ editing }) => editing)),
        assigned: activeInterests.some(({ assigned }) => assigned),
      },
    ]);
  };

  const publish = (event: LiveEvent) => {
    for (const { interest, listener } of [...interests.values()]) {
      if (!('issue' in event) || event.issue === interest.issue) listener(event);
    }
  };
  const setConnected = (now: boolean) => {
    connected.set(now);
    channel.post({ type: 'state', connected: now });
  };
  const leave = () => {
    stream?.stop();
    stream = undefined;
  };

  /** Opens the stream for all subscriptions, unless it is open already. */
  const settle = () => {
    if (!channel.leads()) return;
    const watched = union([ownSubscription(), ...[...otherFrames.values()].map(other => other.watched)]);
    const key = JSON.stringify(watched);
    if (stream?.watched === key) return;
    leave();
    const stop = keepStream(
      services,
      watched,
      event => {
        if (event.kind === 'open') setConnected(true);
        publish(event);
        channel.post({ type: 'event', event });
      },
      () => setConnected(false),
    );
    stream = { watched: key, stop };
  };
  const settling = createTimer(settle);
  const settleSoon = () => settling.start(SETTLE_DELAY_MS);
  const nextRound = () => {
    round += 1;
    for (const [frame, { round: last }] of otherFrames) if (last < round - 2) otherFrames.delete(frame);
    channel.post({ type: 'ask' });
    settleSoon();
  };

  const channel = createChannel(owner, {
    lead: () => {
      otherFrames.clear();
      nextRound();
      rounds = setInterval(nextRound, ROUND_MS);
    },
    follow: () => {
      clearInterval(rounds);
      leave();
    },
    receive: message => {
      if (message.type === 'want') {
        otherFrames.set(message.frame, { watched: message.wish, round });
        channel.post({ type: 'state', connected: connected.get() });
        settleSoon();
      } else if (channel.leads()) return;
      else if (message.type === 'event') publish(message.event);
      else if (message.type === 'state') connected.set(message.connected);
      else if (interests.size) channel.want(ownSubscription());
    },
  });

  const subscribe = () => {
    const isWanted = interests.size > 0 && isActive();
    if (isWanted) channel.join();
    channel.want(ownSubscription());
    if (!isWanted) channel.leave();
    settleSoon();
  };
  const shown = () => {
    if (!isActive()) connected.set(false);
    subscribe();
  };
  let ignorePrinting = (): void => undefined;

  return {
    connected,
    watch(interest, listener) {
      if (services.bridge.stream === undefined) return () => undefined;
      const key = {};
      if (interests.size === 0) {
        stopVisibility = onVisibility(shown);
        ignorePrinting = printing.subscribe(shown);
        window.addEventListener('pagehide', channel.leave);
      }
      interests.set(key, { interest, listener });
      subscribe();
      return () => {
        interests.delete(key);
        subscribe();
        if (interests.size) return;
        stopVisibility();
        ignorePrinting();
        window.removeEventListener('pagehide', channel.leave);
      };
    },
  };
}
