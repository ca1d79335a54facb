import * as v from 'valibot';
import { unreachable } from '../domain/messages.ts';
import { dialogPaths } from '../domain/pages.ts';
import { readAs } from '../domain/shape.ts';
import { complete, contextOf, entityShape } from './address.ts';
import { type HostContext, HostUnreachable } from './bridge.ts';
import { type Opened, readOpened } from './forge-dialogs.ts';
import { GENERAL_PAGE_KEY, placeOf, routeOf } from './forge-places.ts';
import { readRedirect } from './forge-redirect.ts';
import { createHistory, getContext } from './forge-vendor.ts';
import { withHostTimeout } from './host-timeout.ts';

const contextShape = v.object({
  moduleKey: v.string(),
  accountId: v.nullish(v.string()),
  cloudId: v.nullish(v.string()),
  siteUrl: v.nullish(v.string()),
  localId: v.nullish(v.string()),
  extension: v.nullish(
    v.object({ issue: entityShape, project: entityShape, request: entityShape, modal: v.optional(v.unknown()) }),
  ),
});
const historyShape = v.object({ location: v.object({ pathname: v.string(), search: v.optional(v.string()) }) });

const UNIDENTIFIED_ACCOUNT = 'unidentified';

/** The frame's context, as the host gives it. */
export interface ForgeFrame {
  /** The screen that it shows first. */
  path: string;
  context: HostContext;
  /** A request of the portal: the app's server resolves its issue. */
  isRequest: boolean;
  dialog: Opened | undefined;
  /** `undefined` for a viewer without one. */
  account: string | undefined;
  cloudId: string | undefined;
  siteUrl: string | undefined;
  /** The frame's place, by the identifiers of the app, its environment and the module. */
  localId: string | undefined;
}

/** The subpage of the general page by the host's address, or by an address of Connect in it; `undefined` if unknown. */
async function readSubpage(): Promise<{ pathname?: string | undefined; search?: string }> {
  const history: unknown = await withHostTimeout(createHistory()).catch(() => undefined);
  const { pathname, search = '' } = readAs(historyShape, history)?.location ?? {};
  const redirect = readRedirect(search);
  const route = redirect && routeOf(redirect.moduleKey);
  return redirect && route !== undefined ? { pathname: route, search: redirect.search } : { pathname, search };
}

/** Rejects with `HostUnreachable` for a missing or invalid answer. */
export async function readFrame(): Promise<ForgeFrame> {
  const hostContext: unknown = await withHostTimeout(getContext()).catch((cause: unknown) => {
    throw new HostUnreachable(unreachable.tracker, { cause });
  });
  const host = readAs(contextShape, hostContext);
  if (!host) throw new HostUnreachable(unreachable.tracker);
  const { issue, project, request, modal } = host.extension ?? {};
  const dialog = readOpened(modal);
  const { pathname, search = '' } = !dialog && host.moduleKey === GENERAL_PAGE_KEY ? await readSubpage() : {};
  const place = placeOf(host.moduleKey, pathname);
  const surface = dialog ? 'dialog' : place.surface;
  // A general page may name its issue in the query; a dialog has its opener's context.
  const frameContext = dialog
    ? { ...dialog.about, surface, dialogData: dialog.data }
    : { ...contextOf(search), surface };
  const context = complete(frameContext, issue ?? request, project);
  return {
    path: dialog ? dialogPaths[dialog.dialog] : place.path,
    context,
    isRequest: !dialog && place.surface === 'portal',
    dialog,
    account: host.accountId && host.accountId !== UNIDENTIFIED_ACCOUNT ? host.accountId : undefined,
    cloudId: host.cloudId ?? undefined,
    siteUrl: host.siteUrl ?? undefined,
    localId: host.localId ?? undefined,
  };
}
