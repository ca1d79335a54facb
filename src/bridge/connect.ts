import * as v from 'valibot';
import { edition } from '../domain/edition.ts';
import { unreachable } from '../domain/messages.ts';
import { pages } from '../domain/pages.ts';
import { readAs } from '../domain/shape.ts';
import { tokenPayload } from '../domain/token.ts';
import { anonymous } from '../domain/user.ts';
import { contextOf } from './address.ts';
import { answered } from './answered.ts';
import type { Ap } from './ap.ts';
import { backend } from './backend.ts';
import { type HostBridge, type HostContext, HostUnreachable } from './bridge.ts';
import { connectDialogs } from './connect-dialogs.ts';
import { request } from './connect-request.ts';
import { parseObject } from './json.ts';

/** Ids come as text or as a number. */
const text = v.union([v.string(), v.number()]);
const entity = v.optional(v.object({ id: v.optional(text), key: v.optional(text) }));
const contextShape = v.object({ jira: v.optional(v.object({ issue: entity, project: entity })) });
const claims = v.object({ iss: v.string(), sub: v.optional(v.string(), anonymous.id) });

/** The tracker's native apps say so in the user agent of their web views; their panels are laid out as a phone's. */
const native = () => navigator.userAgent.includes('AtlassianMobileApp');

/** Our own address says what the frame is about; the host fills in what the address leaves out. */
async function readContext(ap: Ap, search: string): Promise<HostContext> {
  const own = contextOf(search);
  const host = await answered(ap.context.getContext()).then(
    value => readAs(contextShape, value)?.jira,
    () => undefined,
  );
  const found = {
    issueKey: host?.issue?.key,
    issueId: host?.issue?.id,
    projectKey: host?.project?.key,
    projectId: host?.project?.id,
  };
  const known = Object.fromEntries(
    Object.entries(found).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  const surface = own.surface.startsWith('issue-') && native() ? 'mobile' : own.surface;
  return { ...known, ...own, surface };
}

/** A short-lived token, signed by the tracker, that says who looks at what. */
async function readToken(ap: Ap): Promise<string> {
  const token = await answered(ap.context.getToken()).catch((cause: unknown) => {
    throw new HostUnreachable(unreachable.tracker, { cause });
  });
  if (typeof token !== 'string' || token === '') throw new HostUnreachable(unreachable.tracker);
  return token;
}

/** The Connect host around this frame. Follows the host's light or dark theme from here on. */
export function connectBridge(ap: Ap, search: string): HostBridge {
  const frame = crypto.randomUUID();
  const dialogs = connectDialogs(ap);
  let context: Promise<HostContext> | undefined;
  ap.theming?.initializeTheming();

  const contextWithData = async (): Promise<HostContext> => {
    const read = await readContext(ap, search);
    const dialogData = read.surface === 'dialog' ? await answered(dialogs.data()) : undefined;
    return dialogData === undefined ? read : { ...read, dialogData };
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
    emit: (event, data) => ap.events.emit(event, JSON.stringify({ frame, data })),
    on: (event, listener) => {
      const hear = (payload: unknown) => {
        const heard = parseObject(payload);
        // The host sends an event to all our frames, the one that emitted it included.
        if (heard?.data !== undefined && heard.frame !== frame) listener(heard.data);
      };
      ap.events.on(event, hear);
      return () => ap.events.off(event, hear);
    },
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
    reload: () => ap.navigator.reload(),
    hostUrl: async path => {
      const href = await answered(new Promise<unknown>(resolve => ap.getLocation(resolve)));
      return new URL(path, v.parse(v.string(), href)).href;
    },
  };
}
