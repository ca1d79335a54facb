import { createRequire } from 'node:module';
import type { HostBridge } from '../../src/bridge/bridge.ts';

/**
 * A Forge host under the vendor's own bridge: calls are messages, so asynchronous and cloned; functions arrive as
 * functions that return a promise; symbols and `undefined` are dropped. Events reach all frames of the app, the sender
 * included; Escape has no payload.
 */
export interface FakeForge {
  /** Opens a frame of the app on the page. */
  open(): Promise<HostBridge>;
  /** The open dialogs, the topmost last. */
  readonly dialogs: readonly ForgeDialog[];
  escape(): Promise<void>;
  /** Sends an event of the host to all frames. */
  emit(event: string, payload: unknown): void;
  /** All messages, in order. */
  readonly log: [command: string, payload: unknown][];
  /** The host's answers by command; an error is thrown to the frame. Replaced by tests. */
  readonly answers: Record<string, (payload: never, dialog: Modal | undefined) => unknown>;
}

export interface ForgeDialog {
  modal: Modal;
  bridge: Promise<HostBridge>;
}

interface Modal {
  onClose(payload?: unknown): Promise<unknown>;
  closeOnEscape: boolean;
  context: unknown;
}

export interface FrameContext {
  moduleKey?: unknown;
  extension?: object;
  [part: string]: unknown;
}

export type CallBridge = (command: string, payload?: unknown) => Promise<unknown>;

const VENDOR = '/node_modules/@forge/bridge/out/';
const require = createRequire(import.meta.url);

/** The vendor's modules take the host's global when they are loaded: each frame has its own. */
export function vendorFor(callBridge: CallBridge) {
  for (const path of Object.keys(require.cache)) if (path.includes(VENDOR)) delete require.cache[path];
  Object.assign(globalThis, { __bridge: { callBridge } });
  const files = ['events/events', 'fetch/index', 'flag/flag', 'invoke-endpoint/invoke-remote', 'modal/modal'];
  const more = ['router/router', 'view/close', 'view/createHistory', 'view/getContext', 'view/theme'];
  return Object.assign({}, ...[...files, ...more].map(file => require(`../..${VENDOR}${file}.js`)));
}

/** A value after cloning between two windows. */
function crossed(value: unknown): unknown {
  if (typeof value === 'function') return async (...given: unknown[]) => crossed(await value(...given.map(crossed)));
  if (Array.isArray(value)) return value.map(crossed);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== undefined && typeof inner !== 'symbol');
  return Object.fromEntries(kept.map(([name, inner]) => [name, crossed(inner)]));
}

/** The host's context of ABC-1's panel. */
const PANEL: FrameContext = {
  ...{ accountId: 'account', cloudId: 'cloud', siteUrl: 'https://site.example', moduleKey: 'checklist-context' },
  ...{
    localId: 'local',
    environmentId: 'environment',
    environmentType: 'DEVELOPMENT',
    locale: 'en-US',
    timezone: 'UTC',
  },
  extension: {
    type: 'jira:issueContext',
    issue: { id: '10001', key: 'ABC-1', type: 'Task', typeId: '1' },
    project: { id: '10000', key: 'ABC', type: 'software' },
  },
};

export const SERVER = 'https://server.example/app';

/** `openFrame` loads the app's pages in a frame of its own, connected to the host. */
export function fakeForge(
  openFrame: (callBridge: CallBridge) => Promise<HostBridge>,
  override: FrameContext = {},
): FakeForge {
  const said = { ...PANEL, ...override };
  const dialogs: ForgeDialog[] = [];
  const listeners = new Map<string, Set<(payload: unknown) => Promise<unknown>>>();
  const log: FakeForge['log'] = [];
  let queue: Promise<unknown> = Promise.resolve();

  const emit = (event: string, payload: unknown) => {
    for (const listener of listeners.get(event) ?? []) void listener(crossed(payload));
  };
  const answers: FakeForge['answers'] = {
    getContext: (_, modal) => (modal ? { ...said, extension: { ...said.extension, modal: modal.context } } : said),
    enableTheming: () => undefined,
    createHistory: () => ({ location: { pathname: '/', search: '' }, listen: () => undefined }),
    invoke: () => ({
      success: true,
      payload: { status: 200, headers: {}, body: { url: `${SERVER}/`, token: 'session' } },
    }),
    fetchProduct: () => ({ body: '{}', headers: {}, status: 200, statusText: 'OK', isAttachment: false }),
    openModal: (modal: Modal) => {
      dialogs.push({ modal, bridge: open(modal) });
      return true;
    },
    close: (payload, modal) => {
      const at = dialogs.findIndex(dialog => dialog.modal === modal);
      if (!modal || at < 0) return false;
      dialogs.splice(at, 1);
      void modal.onClose(payload);
      return true;
    },
    on: ({ event, callback }: { event: string; callback(payload: unknown): Promise<unknown> }) => {
      const all = listeners.get(event) ?? new Set();
      listeners.set(event, all.add(callback));
      return { unsubscribe: () => all.delete(callback) };
    },
    emit: ({ event, payload }: { event: string; payload: unknown }) => emit(event, payload),
    showFlag: () => undefined,
    navigate: () => undefined,
    reload: () => undefined,
  };

  function open(modal?: Modal): Promise<HostBridge> {
    const callBridge = async (command: string, payload?: unknown) => {
      const sent = crossed(payload);
      log.push([command, sent]);
      await Promise.resolve();
      const answer = answers[command];
      if (!answer) throw new Error(`No command ${command}`);
      return crossed(await answer(sent as never, modal));
    };
    // Sequential: loading modules takes the global of their frame.
    const bridge = queue.then(() => openFrame(callBridge));
    queue = bridge.catch(() => undefined);
    return bridge;
  }

  return {
    open: () => open(),
    dialogs,
    async escape() {
      const top = dialogs.at(-1);
      if (!top?.modal.closeOnEscape) return;
      dialogs.pop();
      await top.modal.onClose();
    },
    emit,
    log,
    answers,
  };
}
