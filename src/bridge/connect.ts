import * as v from 'valibot';
import { edition } from '../domain/edition.ts';
import { unreachable } from '../domain/messages.ts';
import { pages, places } from '../domain/pages.ts';
import { readAs } from '../domain/shape.ts';
import { tokenPayload } from '../domain/token.ts';
import { complete, contextOf, entityShape } from './address.ts';
import type { Ap } from './ap.ts';
import { backend } from './backend.ts';
import { type HostBridge, type HostContext, HostUnreachable } from './bridge.ts';
import { connectDialogs } from './connect-dialogs.ts';
import { request } from './connect-request.ts';
import { createEnvelope } from './envelope.ts';
import { withHostTimeout } from './host-timeout.ts';

const contextShape = v.object({ jira: v.object({ issue: entityShape, project: entityShape }) });
const claims = v.object({ iss: v.string(), sub: v.optional(v.string(), 'anonymous') });

/** The address names the frame's context; the host completes it. */
async function readContext(ap: Ap, search: string): Promise<HostContext> {
  const hostContext = await withHostTimeout(ap.context.getContext()).catch(() => undefined);
  const host = readAs(contextShape, hostContext)?.jira;
  return complete(contextOf(search), host?.issue, host?.project);
}

/** A short-lived token, signed by the tracker, for user and context. */
async function readToken(ap: Ap): Promise<string> {
  const token = await withHostTimeout(ap.context.getToken()).catch(() => undefined);
  if (typeof token === 'string' && token) return token;
  throw new HostUnreachable(unreachable.tracker);
}

/** The Connect host around this frame. Follows the host's light or dark theme. */
export function connectBridge(ap: Ap, search: string): HostBridge {
  const { wrap, opened } = createEnvelope();
  const dialogs = connectDialogs(ap);
  let context: Promise<HostContext> | undefined;
  ap.theming?.initializeTheming();

  const contextWithData = async (): Promise<HostContext> => {
    const frameContext = await readContext(ap, search);
    const dialogData = frameContext.surface === 'dialog' ? await withHostTimeout(dialogs.data()) : undefined;
    return dialogData === undefined ? frameContext : { ...frameContext, dialogData };
  };

  return {
    kind: 'connect',
    context: () => {
      context ??= contextWithData();
      return context;
    },
    request: (path, init) => request(ap, path, init),
    backend,
    stream: async (...call) => (await import('./stream.ts')).stream(...call),
    signIn: async () => {
      const authorization = `JWT ${await readToken(ap)}`;
      const headers = { 'app-key': edition.key, authorization, 'content-type': 'application/json' };
      return backend('/api/jira/auth', { headers });
    },
    owner: async () => {
      const { iss, sub } = v.parse(claims, tokenPayload(await readToken(ap)));
      return { tenant: iss, account: sub };
    },
    openDialog: dialogs.open,
    closeDialog: dialogs.close,
    flag: ({ title, body = '', type = 'success' }) => {
      ap.flag.create({ title, body, type, close: 'auto' });
    },
    emit: (event, data) => ap.events.emit(event, wrap(data)),
    on: (event, listener) => {
      const handler = opened(listener);
      ap.events.on(event, handler);
      return () => ap.events.off(event, handler);
    },
    modules: async () =>
      (await import('./connect-modules.ts')).connectModules(ap, search, (...call) => request(ap, ...call)),
    resize: height => ap.resize('100%', `${height}px`),
    preferences: {
      get: key =>
        new Promise(resolve => ap.cookie.read(key, value => resolve(typeof value === 'string' ? value : undefined))),
      set: (key, value) => {
        ap.cookie.save(key, value);
        return Promise.resolve();
      },
    },
    navigate: path => ap.navigator.go('site', { relativeUrl: path }),
    openSettings: projectKey =>
      ap.navigator.go('projectAdminTabPanel', { projectKey, addonKey: edition.key, moduleKey: pages.project.key }),
    openAssigned: () => ap.navigator.go('addonModule', { addonKey: edition.key, moduleKey: places.assigned.key }),
    reload: () => ap.navigator.reload(),
    hostUrl: async path => {
      const href = await withHostTimeout(new Promise<unknown>(resolve => ap.getLocation(resolve)));
      return new URL(path, v.parse(v.string(), href)).href;
    },
  };
}
