/** The used part of the vendor's host bridge, which has no types. */
declare module 'atlassian-connect-js' {
  /** A page of the add-on in the bridge. `options` is passed to the frame as JSON. */
  export interface Extension {
    /** Given by the bridge: `{addon_key}__{key}__{random}`. */
    id: string;
    addon_key: string;
    key: string;
    url: string;
    options: Record<string, unknown>;
  }

  /** The caller: the bridge attaches it to the callback, always a method's last argument. */
  export interface Caller {
    extension_id: string;
    extension: Extension;
  }

  /** Answers a call. A method with `returnsPromise` answers by its promise instead. */
  export interface Callback {
    (answer?: unknown): void;
    _context: Caller;
  }

  /** Methods name their own parameters; the values come from another window. */
  export type Method = ((...given: never[]) => unknown) & { returnsPromise?: boolean };
  export type Methods = Record<string, Method>;

  /** Options of `AP.dialog.create` with the bridge's defaults. */
  export interface DialogOptions {
    id: string;
    size?: string;
    width?: string;
    height?: string;
    closeOnEscape: boolean;
  }

  /** A dialog's page before it is mounted. */
  export interface DialogExtension {
    addon_key: string;
    key: string;
    options: Record<string, unknown>;
    callback_extension_id: string;
  }

  /** A key pressed inside a frame. */
  export interface FrameKey {
    keycode: number;
  }

  export interface DialogProvider {
    create(options: DialogOptions, extension: DialogExtension): void;
    /** Without a key `AP.dialog.close` was called, and its event has been sent already. */
    close(key?: FrameKey): void;
    isActiveDialog(addonKey: string): boolean;
    setButtonDisabled(identifier: string, disabled: boolean): void;
    isButtonDisabled(identifier: string): boolean;
    toggleButton(identifier: string): void;
    setButtonHidden(identifier: string, hidden: boolean): void;
    isButtonHidden(identifier: string): boolean;
    createButton(button: unknown): void;
  }

  export interface FlagOptions {
    id: string;
    title?: string;
    body?: string;
    type: string;
    close?: string;
    actions: { actionKey: string; actionText: string; executeAction(): void }[];
    onClose(id: string): void;
  }

  export interface FlagProvider {
    create(options: FlagOptions): { close(): void };
  }

  /** Sizes of frames that are no dialogs. */
  export interface AddonProvider {
    resize(width: string, height: string, caller: Caller): void;
    sizeToParent(): void;
    registerUnmountCallback(): void;
  }

  export interface ModuleRegistration {
    getModuleRegistrationName(): string;
    isEnabled(): boolean;
    getProvider(): DialogProvider | FlagProvider;
  }

  export interface ConnectHost {
    /** Without a name the methods become globals of `AP`. Frames see only what was defined before them. */
    defineModule(methods: Methods): void;
    defineModule(name: string, methods: Methods): void;
    registerProvider(name: 'addon', provider: AddonProvider): void;
    getFrameworkAdaptor(): { registerModule(module: ModuleRegistration): void };
    createExtension(extension: Omit<Extension, 'id'>): {
      extension: Extension;
      iframeAttributes: Record<string, string>;
    };
    onIframeEstablished(listener: (established: { extension: Pick<Extension, 'id'> }) => void): void;
    broadcastEvent(name: string, target: { addon_key: string; key?: string }, data?: unknown): void;
  }

  const connectHost: ConnectHost;
  export default connectHost;
}

declare module 'atlassian-connect-js-cookie' {
  import type { Methods } from 'atlassian-connect-js';

  const cookie: Methods;
  export default cookie;
}
