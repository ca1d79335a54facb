import * as v from 'valibot';
import { parseAs, readAs } from '../../../../domain/shape.ts';
import { invokedShape } from '../../../wire/forge.ts';
import type { ForgeModule } from '../../../wire/modules.ts';
import { followTheme, themeAttributes } from '../../app/theme.ts';
import { configureGadget } from '../../data/changes.ts';
import { getJson, sending } from '../../data/fetch.ts';
import { dialogs, dismissDialog } from '../dialogs.ts';
import type { FrameOptions } from '../frames.ts';
import { submitted } from '../gadgets.ts';
import { offerRule } from '../workflow.ts';
import { closeDialogOf, openDialog } from './dialogs.ts';
import { emit, subscribe } from './events.ts';
import { closeFlag, showFlag } from './flags.ts';
import { createHistory } from './history.ts';
import { navigate, urlOf } from './navigate.ts';
import { fetchProduct } from './product.ts';

type Callback = (...given: unknown[]) => unknown;

const callback = v.custom<Callback>(value => typeof value === 'function');
const eventShape = v.object({ event: v.string(), payload: v.optional(v.unknown()) });
const listenerShape = v.object({ event: v.string(), callback });
const remoteShape = v.looseObject({ invokeType: v.literal('ui-remote-fetch'), path: v.string() });
const functionShape = v.object({ functionKey: v.string() });

/** The uuid in `ari:cloud:ecosystem::extension/{app}/{environment}/static/{key}`. */
const appIdOf = ({ context }: ForgeModule): string => context.localId.split('/')[1] ?? '';

/** The host's side of a frame: the functions behind its `@forge/bridge`, and the cleanup function. */
export function createHost(module: ForgeModule, { place, about, dialog }: FrameOptions) {
  const modal = dialog?.framework === 'forge' ? dialog : undefined;
  const ends = new Set<() => void>();
  const { extension } = module.context;
  const issue = readAs(v.object({ issue: v.object({ id: v.string() }) }), extension)?.issue;
  const framePlace = modal?.place ?? place;

  const commands: Record<string, (payload: unknown) => unknown> = {
    getContext: () => ({
      ...module.context,
      theme: { colorMode: themeAttributes().colorMode, light: 'light', dark: 'dark', spacing: 'spacing' },
      extension: modal ? { ...extension, modal: modal.context } : extension,
    }),
    async enableTheming(payload) {
      const show = parseAs(callback, payload);
      ends.add(followTheme(() => void show(themeAttributes())));
      await show(themeAttributes());
    },
    invoke(payload) {
      const ofFunction = readAs(functionShape, payload);
      // The app has none.
      if (ofFunction) throw new Error(`No function ${ofFunction.functionKey}`);
      const { invokeType: _, ...call } = parseAs(remoteShape, payload);
      const { issueKey, projectKey } = about;
      const invocation = { place: framePlace, key: module.key, issueKey, projectKey, modal: modal?.context };
      return getJson('/host/forge/invoke', invokedShape, sending('POST', { ...call, ...invocation }));
    },
    fetchProduct: payload => fetchProduct(appIdOf(module), payload),
    openModal: payload => openDialog(payload, { module, place: framePlace, about }),
    close: payload => (modal ? closeDialogOf(modal, payload) : false),
    onClose(payload) {
      const closing = parseAs(callback, payload);
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
      document.title = parseAs(v.string(), payload);
    },
    on(payload) {
      const { event, callback: listener } = parseAs(listenerShape, payload);
      const end = subscribe({ event, issueId: issue?.id, listener });
      ends.add(end);
      return { unsubscribe: end };
    },
    emit(payload) {
      const { event, payload: data } = parseAs(eventShape, payload);
      emit(event, data);
    },
    async submit(payload) {
      if (framePlace !== 'gadget-edit' || about.gadget === undefined) return false;
      await configureGadget(about.gadget, payload);
      submitted(about.gadget);
      return true;
    },
    setWorkflowRuleConfigurationCallback(payload) {
      if (!['rule-create', 'rule-edit'].includes(framePlace)) return false;
      const { data } = parseAs(v.object({ data: v.object({ onConfigure: callback }) }), payload);
      ends.add(offerRule(async () => readAs(v.string(), await data.onConfigure())));
      return true;
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
