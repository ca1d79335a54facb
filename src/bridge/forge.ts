import * as v from 'valibot';
import { unreachable } from '../domain/messages.ts';
import { pages } from '../domain/pages.ts';
import { readAs } from '../domain/shape.ts';
import { anonymous } from '../domain/user.ts';
import { backend } from './backend.ts';
import { type HostBridge, type HostContext, HostUnreachable } from './bridge.ts';
import { createEnvelope } from './envelope.ts';
import { type ForgeFrame, readFrame } from './forge-context.ts';
import { announce, closeModal, openModal } from './forge-dialogs.ts';
import { openLinksThroughHost } from './forge-links.ts';
import { GENERAL_PAGE_KEY } from './forge-places.ts';
import { preferences } from './forge-preferences.ts';
import { request } from './forge-request.ts';
import { type ForgeServer, forgeServer } from './forge-server.ts';
import { events, getContext, router, showFlag, theme } from './forge-vendor.ts';
import { withHostTimeout } from './host-timeout.ts';

/** The host's event of a changed issue (Forge, "Jira issue panel", events). */
const ISSUE_CHANGED_EVENT = 'JIRA_ISSUE_CHANGED';
const changedShape = v.object({
  issueId: v.union([v.string(), v.number()]),
  changes: v.array(v.object({ changeType: v.string() })),
});

const quietly = (work: Promise<unknown>): void => void work.catch(() => undefined);

/** Listens to an event of the host's channel. Returns the unsubscribe function. */
function subscribe(event: string, listener: (payload: unknown) => void): () => void {
  const subscription = events.on(event, listener);
  quietly(subscription);
  return () => quietly(subscription.then(({ unsubscribe }) => unsubscribe()));
}

/** The context of a frame; the app's server resolves the issue of a portal request. */
async function contextOf({ context, isRequest }: ForgeFrame, server: ForgeServer): Promise<HostContext> {
  if (!isRequest) return context;
  const { issue } = await server.signed();
  return issue ? { ...context, issueId: issue.id, issueKey: issue.key } : context;
}

const aboutOf = ({ surface: _, dialogData: __, ...about }: HostContext) => about;

/**
 * The Forge host around this frame. Resolves when the frame's first screen is in its address, or is known to be
 * unknown. Follows the host's light or dark theme.
 */
export async function forgeBridge(): Promise<HostBridge> {
  quietly(theme.enable());
  openLinksThroughHost();
  const server = forgeServer();
  const envelope = createEnvelope();
  const frame = readFrame();
  let context: Promise<HostContext> | undefined;

  const bridge: HostBridge = {
    kind: 'forge',
    context: () => {
      context ??= frame.then(found => contextOf(found, server));
      return context;
    },
    request,
    backend: async (path, init) => backend((await server.signed()).url + path, init),
    stream: async (path, init, listener) => {
      const [{ url }, { stream }] = await Promise.all([server.signed(), import('./stream.ts')]);
      return stream(url + path, init, listener);
    },
    signIn: server.signIn,
    owner: async () => {
      const { cloudId, account = anonymous.id } = await frame;
      if (cloudId === undefined) throw new HostUnreachable(unreachable.tracker);
      return { tenant: cloudId, account };
    },
    openDialog: async (name, data, missing) => openModal(aboutOf(await bridge.context()), name, data, missing),
    closeDialog: closeModal,
    flag: ({ title, body, type = 'success' }) => {
      showFlag({ id: crypto.randomUUID(), title, type, isAutoDismiss: true, ...(body && { description: body }) });
    },
    emit: (event, data) => quietly(events.emit(event, envelope.wrap(data))),
    on: (event, listener) => subscribe(event, envelope.opened(listener)),
    onIssueChanged: listener =>
      subscribe(ISSUE_CHANGED_EVENT, payload => {
        const changed = readAs(changedShape, payload);
        // A comment alone changes nothing on screen.
        if (changed?.changes.some(({ changeType }) => changeType !== 'commented')) listener(`${changed.issueId}`);
      }),
    modules: async () =>
      (await import('./forge-modules.ts')).forgeModules({ context: () => withHostTimeout(getContext()), subscribe }),
    extension: async () => (await frame).localId?.replace(/[^/]*$/, '') ?? '',
    resize: height => {
      // The host makes the frame as high as the body with its margins: what hangs below the content gets room there.
      const { style } = document.body;
      style.marginBottom = `${Math.max(0, height - document.body.getBoundingClientRect().height)}px`;
    },
    preferences,
    navigate: path => quietly(router.navigate(path)),
    openSettings: projectKey =>
      quietly(router.navigate({ target: 'module', moduleKey: pages.project.key, projectKey })),
    // The first of the pages of its module.
    openAssigned: () => quietly(router.navigate({ target: 'module', moduleKey: GENERAL_PAGE_KEY })),
    reload: () => quietly(router.reload()),
    hostUrl: async path => {
      const { siteUrl } = await frame;
      if (siteUrl === undefined || !URL.canParse(path, siteUrl)) throw new HostUnreachable(unreachable.tracker);
      return new URL(path, siteUrl).href;
    },
  };

  try {
    const { path, dialog } = await frame;
    // The screen of an earlier load stays: the address holds the frame's state.
    if (!location.hash.startsWith('#/')) history.replaceState(null, '', `#${path}`);
    if (dialog) announce(dialog);
  } catch {
    // Callers that request the context get the error.
  }
  return bridge;
}
