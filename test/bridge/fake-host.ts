import type { Ap, ApDialog, ApListener, ApRequest } from '../../src/bridge/ap.ts';

/**
 * The tracker's page and frames as the vendor's host script behaves: calls are messages, so asynchronous and sanitised
 * (functions and null properties are dropped); events reach all frames of the add-on, the sender included, spread as
 * arguments; all frames are notified of a dialog's close; Escape has no payload.
 */
export interface FakeHost {
  /** Opens a frame of the app on the page. */
  frame(): Ap;
  /** Saves as in the workflow's editor: what the open form gives, `undefined` where it is not valid. */
  saveRule(): string | undefined;
  /** The frames inside open dialogs, the topmost last. */
  readonly dialogs: readonly FakeDialog[];
  escape(): Promise<void>;
  readonly log: HostLog;
  /** Answers `AP.request`; what it throws the promise rejects with. */
  answer: (options: ApRequest) => unknown;
  context: () => unknown;
  token: () => unknown;
}

export interface FakeDialog {
  options: ApDialog;
  ap: Ap;
}

export interface HostLog {
  requests: ApRequest[];
  flags: unknown[];
  sizes: [string, string][];
  places: string[];
  reloads: number;
  themed: number;
  /** Errors in the host's page, invisible to the add-on. */
  errors: string[];
}

/** A value after cloning between two windows. */
export function crossed(value: unknown): unknown {
  if (typeof value === 'function') return null;
  if (Array.isArray(value)) return value.map(crossed);
  if (value instanceof Error) return {};
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, crossed(inner)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== null));
}

export const delivered = () => new Promise(resolve => setTimeout(resolve));

/** A token of the tracker, as far as a frame reads it. */
export const hostToken = (claims: object) =>
  `head.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;

export function fakeHost(): FakeHost {
  const frames: Map<string, Set<ApListener>>[] = [];
  let dialogs: FakeDialog[] = [];
  const form: { validate(): boolean; save(): string } = { validate: () => true, save: () => '' };
  const cookies = new Map<string, string>();
  const log: HostLog = { requests: [], flags: [], sizes: [], places: [], reloads: 0, themed: 0, errors: [] };

  const broadcast = (name: string, ...payload: unknown[]) => {
    const args = payload.map(crossed);
    for (const listeners of frames) {
      setTimeout(() => {
        for (const listener of [...(listeners.get(name) ?? [])]) listener(...args);
      });
    }
  };

  const promised = async (work: () => unknown) => {
    await delivered();
    const result = crossed(await work());
    // The host's script takes "no result" for a failure.
    if (result === undefined) throw undefined;
    return result;
  };

  const host: FakeHost = {
    log,
    answer: () => ({ body: '{}', xhr: { status: 200, statusText: 'OK', responseText: '{}' } }),
    context: () => ({}),
    token: () => hostToken({ iss: 'client-key', sub: 'account' }),
    get dialogs() {
      return dialogs;
    },
    frame: () => frame(undefined),
    saveRule: () => (form.validate() ? form.save() : undefined),
    escape: async () => {
      if (dialogs.at(-1)?.options.closeOnEscape) {
        dialogs = dialogs.slice(0, -1);
        broadcast('dialog.close', undefined);
      }
      await delivered();
      await delivered();
    },
  };

  function frame(dialog: ApDialog | undefined): Ap {
    const listeners = new Map<string, Set<ApListener>>();
    frames.push(listeners);
    return {
      _data: { extension_id: `frame-${frames.length}` },
      request: options => {
        const sent = crossed(options) as ApRequest;
        log.requests.push(sent);
        return promised(() => host.answer(sent));
      },
      context: { getContext: () => promised(() => host.context()), getToken: () => promised(() => host.token()) },
      dialog: {
        create: options => {
          const opened = crossed(options) as ApDialog;
          dialogs = [...dialogs, { options: opened, ap: frame(opened) }];
        },
        close: payload => {
          if (dialogs.length === 0) {
            log.errors.push('Failed to find an active dialog.');
            return;
          }
          dialogs = dialogs.slice(0, -1);
          broadcast('dialog.close', payload);
        },
        getCustomData: callback => {
          setTimeout(() => callback(crossed(dialog?.customData)));
        },
      },
      events: {
        on: (name, listener) => listeners.set(name, (listeners.get(name) ?? new Set()).add(listener)),
        off: (name, listener) => listeners.get(name)?.delete(listener),
        emit: (name, payload) => broadcast(name, payload),
      },
      flag: { create: options => log.flags.push(crossed(options)) },
      resize: (width, height) => log.sizes.push([width, height]),
      cookie: {
        save: (name, value) => cookies.set(name, value),
        read: (name, callback) => {
          setTimeout(() => callback(cookies.get(name)));
        },
      },
      jira: {
        DashboardItem: { onDashboardItemEdit: () => undefined, onDashboardItemRefreshed: () => undefined },
        WorkflowConfiguration: {
          onSaveValidation: listener => {
            form.validate = listener;
          },
          onSave: listener => {
            form.save = listener;
          },
        },
      },
      navigator: {
        go: (target: string, place: { relativeUrl: string } | { projectKey?: string; moduleKey: string }) =>
          log.places.push(
            'relativeUrl' in place
              ? place.relativeUrl
              : [target, place.projectKey, place.moduleKey].filter(Boolean).join(' '),
          ),
        reload: () => {
          log.reloads += 1;
        },
      },
      getLocation: callback => {
        setTimeout(() => callback('https://site.example/browse/ABC-1?focused=true'));
      },
      theming: {
        initializeTheming: () => {
          log.themed += 1;
        },
      },
    };
  }

  return host;
}
