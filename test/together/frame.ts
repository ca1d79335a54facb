import type { HostBridge } from '../../src/bridge/bridge.ts';
import { type ChecklistStore, createChecklist } from '../../src/client/checklist.ts';
import { createGraphql, type GraphqlClient } from '../../src/client/graphql.ts';
import { createOutbox, type OutboxHost } from '../../src/client/outbox/outbox.ts';
import { hasUnsentChanges } from '../../src/client/outbox/unsent.ts';
import { createSession } from '../../src/client/session.ts';
import { storageKey } from '../../src/domain/storage.ts';
import { fakeBridge, SIGN_IN, sessionToken, status } from '../client/fake-bridge.ts';
import type { FakeFrame, fakeBrowser } from '../client/fake-browser.ts';
import type { Network } from './network.ts';
import { ISSUE, type Server } from './server.ts';

/** What all people share. */
export interface World {
  server: Server;
  network: Network;
  /** Frames show the tracker's copy first, which does not say its rows' ids. */
  hasTrackerCopy: boolean;
}

/** Where a person's frames are, and how these reach each other. */
export interface Desk {
  person: number;
  account: string;
  browser: ReturnType<typeof fakeBrowser>;
  frames: Set<Frame>;
}

/** One frame with a checklist: a panel or an editor. */
export interface Frame {
  id: number;
  page: FakeFrame;
  bridge: HostBridge;
  graphql: GraphqlClient;
  store: ChecklistStore;
  publish(event: string, data: Parameters<ReturnType<typeof fakeBridge>['publish']>[1]): void;
  close(): void;
}

export const ownerOf = ({ account }: Desk) => ({ tenant: 'tenant', account });

let frameCount = 0;

/** The variables that operations send. */
interface Sent {
  operationName: string;
  variables: { input: Parameters<Server['answerChange']>[1] } | { after: Parameters<Server['conflictsAfter']>[0] };
}

export function openFrame({ server, network, hasTrackerCopy }: World, desk: Desk, session: Storage): Frame {
  const id = ++frameCount;
  const page = desk.browser.frame(session);
  let isGone = false;
  /** A closed frame gets no answer. */
  const ask = <Answer extends object>(what: string, answer: () => Promise<Answer>): Promise<Answer> => {
    const answered = network.request({ person: desk.person, frame: id }, what, answer);
    return new Promise((resolve, reject) => {
      answered.then(
        value => isGone || resolve(value),
        error => isGone || reject(error),
      );
    });
  };
  const bridge = fakeBridge({
    owner: async () => ownerOf(desk),
    tracker: path =>
      path.includes('/user/')
        ? { values: [] }
        : hasTrackerCopy
          ? ask('the reading of the tracker', async () => ({
              properties: { [storageKey('checklist')]: server.property() },
            }))
          : status(503),
    server: (path, { json }) => {
      if (path === SIGN_IN) return { token: sessionToken('one') };
      const { operationName, variables } = json as Sent;
      if (operationName === 'getChecklist')
        return ask('the reading', async () => ({ data: { checklist: server.checklist() } }));
      if (operationName === 'reportSeen') return { data: { reportSeen: true } };
      if ('after' in variables)
        return ask('the reading of conflicts', async () => ({
          data: { checklistConflicts: server.conflictsAfter(variables.after) },
        }));
      if (!('input' in variables)) return status(500);
      return ask(`the change ${operationName}`, async () => ({
        data: { changeChecklist: await server.answerChange(desk.account, variables.input) },
      }));
    },
  });
  bridge.emit = (event, data) => {
    queueMicrotask(() => {
      for (const other of desk.frames) if (other !== frame) other.publish(event, data);
    });
  };
  const graphql = createGraphql(bridge, createSession(bridge));
  const outbox = async () => (host: OutboxHost) => createOutbox(host, page);
  const urgent = hasUnsentChanges(ISSUE, page.storage);
  const store = createChecklist({ bridge, graphql, outbox, urgent }, { issueId: ISSUE, issueKey: 'ABC-1' });
  const stop = store.start();
  const frame: Frame = {
    id,
    page,
    bridge,
    graphql,
    store,
    publish: bridge.publish,
    close: () => {
      isGone = true;
      stop();
      page.close();
      desk.frames.delete(frame);
    },
  };
  desk.frames.add(frame);
  return frame;
}
