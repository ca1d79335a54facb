import * as z from 'zod/mini';
import type { ForgeModule } from '../../../wire.ts';
import { followTheme, themeAttributes } from '../../app/theme.ts';
import { getJson, sending } from '../../data/fetch.ts';
import { invokedShape } from '../../data/shapes.ts';
import { dialogs, dismissDialog } from '../dialogs.ts';
import type { FrameOptions } from '../frames.ts';
import { closeDialogOf, openDialog } from './dialogs.ts';
import { emit, subscribe } from './events.ts';
import { closeFlag, showFlag } from './flags.ts';
import { createHistory } from './history.ts';
import { navigate, urlOf } from './navigate.ts';
import { fetchProduct } from './product.ts';

type Callback = (...given: unknown[]) => unknown;

const callback = z.custom<Callback>(value => typeof value === 'function');
const eventShape = z.object({ event: z.string(), payload: z.optional(z.unknown()) });
const listenerShape = z.object({ event: z.string(), callback });
const remoteShape = z.looseObject({ invokeType: z.literal('ui-remote-fetch'), path: z.string() });
const functionShape = z.object({ functionKey: z.string() });

/** The uuid in `ari:cloud:ecosystem::extension/{app}/{environment}/static/{key}`. */
const appIdOf = ({ context }: ForgeModule): string => context.localId.split('/')[1] ?? '';

/** The host's side of a frame: the functions behind its `@forge/bridge`, and the cleanup function. */
export function createHost(module: ForgeModule, { place, about, dialog }: FrameOptions) {
  const modal = dialog?.framework === 'forge' ? dialog : undefined;
  const ends = new Set<() => void>();
  const { extension } = module.context;
  const issue = z.object({ issue: z.object({ id: z.string() }) }).safeParse(extension).data?.issue;
  const framePlace = modal?.place ?? place;

  const commands: Record<string, (payload: unknown) => unknown> = {
    getContext: () => ({
      ...module.context,
      theme: { colorMode: themeAttributes().colorMode, light: 'light', dark: 'dark', spacing: 'spacing' },
      extension: modal ? { ...extension, modal: modal.context } : extension,
    }),
    async enableTheming(payload) {
      const show = callback.parse(payload);
      ends.add(followTheme(() => void show(themeAttributes())));
      await show(themeAttributes());
    },
    invoke(payload) {
      const ofFunction = functionShape.safeParse(payload);
      // The app has none.
      if (ofFunction.success) throw new Error(`No function ${ofFunction.data.functionKey}`);
      const { invokeType: _, ...call } = remoteShape.parse(payload);
      const { issueKey, projectKey } = about;
      const wanted = { place: framePlace, key: module.key, issueKey, projectKey, modal: modal?.context };
      return getJson('/host/forge/invoke', invokedShape, sending('POST', { ...call, ...wanted }));
    },
    fetchProduct: payload => fetchProduct(appIdOf(module), payload),
    openModal: payload => openDialog(payload, { module, place: framePlace, about }),
    close: payload => (modal ? closeDialogOf(modal, payload) : false),
    onClose(payload) {
      const closing = callback.parse(payload);
      modal?.onClosing(closing);
      return true;
    },
    showFlag,
    closeFlag,
    navigate,
    getUrl: async payload => (await urlOf(payload)).href,
    reload: () => location.reload(),
    createHistory() {
      const { history, end } = createHistory(module, framePlace);
      ends.add(end);
      return history;
    },
    changeWindowTitle(payload) {
      document.title = z.string().parse(payload);
    },
    on(payload) {
      const { event, callback: listener } = listenerShape.parse(payload);
      const end = subscribe({ event, issueId: issue?.id, listener });
      ends.add(end);
      return { unsubscribe: end };
    },
    emit(payload) {
      const { event, payload: data } = eventShape.parse(payload);
      emit(event, data);
    },
    /** Not part of the bridge: a key pressed in the frame (global-bridge.ts). */
    escape() {
      const top = dialogs.get().at(-1);
      if (modal && top === modal && modal.closeOnEscape) dismissDialog();
    },
  };

  return {
    command(...[name, payload]: unknown[]): unknown {
      const command = typeof name === 'string' && Object.hasOwn(commands, name) ? commands[name] : undefined;
      if (!command) throw new Error(`No command ${String(name)}`);
      return command(payload);
    },
    end() {
      for (const end of ends) end();
      ends.clear();
    },
  };
}
