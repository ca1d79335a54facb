import type { DialogName, Surface } from '../domain/pages.ts';
import type { RuleKind } from '../domain/workflow/options.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Milliseconds after which a dialog that has not loaded is reported to its opener. */
export const DIALOG_TIMEOUT_MS = 20_000;

/** Location and subject of a frame. Ids are the tracker's. */
export interface HostContext {
  surface: Surface;
  issueKey?: string;
  issueId?: string;
  projectKey?: string;
  projectId?: string;
  /** Data passed by the dialog's opener. */
  dialogData?: Json;
}

export interface HostRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Arrays become repeated parameters; `undefined` is left out. */
  query?: Record<string, string | readonly string[] | undefined>;
  /** Sent as JSON. */
  json?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** An answer, of any status. A request without one rejects with `HostUnreachable`. */
export interface HostResponse {
  status: number;
  /** The reason phrase, if the transport has one. */
  statusText?: string;
  text: string;
  /** By name, as the transport gives them, if it does. */
  headers?: unknown;
}

/** No answer: no host around the page, no network, or a host that does not respond. */
export class HostUnreachable extends Error {
  override readonly name = 'HostUnreachable';
}

export interface HostFlag {
  title: string;
  body?: string;
  type?: 'success' | 'info' | 'warning' | 'error';
}

/** The frame of a workflow rule's configuration. */
export interface RuleFrame {
  kind: RuleKind;
  entry: 'create' | 'edit' | 'view';
  /** The saved configuration as the host has it; absent for a new rule. */
  config?: unknown;
  /**
   * Gives the host what it keeps when the user saves; `undefined` keeps the page open. Rejects if the host does not
   * take it.
   */
  onSave(read: () => string | undefined): Promise<void>;
}

/** The frame of a dashboard's gadget. */
export interface GadgetFrame {
  /** Whether the host shows its configuration. */
  isEdit: boolean;
  /** The saved configuration; absent for a new gadget. */
  config?: unknown;
  /**
   * Saves the configuration; `false` if the user has no permission to edit the dashboard. If the host then shows
   * the gadget in another frame, this one is closed.
   */
  save(config: Json): Promise<boolean>;
  /** Listens to the user's wish to configure or to refresh it. Returns the unsubscribe function. */
  on(event: 'edit' | 'refresh', listener: () => void): () => void;
}

/** Each rejects in other frames. */
export interface ModuleFrames {
  /** The workflow rule that this frame configures. */
  rule(): Promise<RuleFrame>;
  /** The gadget that this frame is. */
  gadget(): Promise<GadgetFrame>;
}

/** Tenant and account that stored browser data belongs to. */
export interface Owner {
  tenant: string;
  account: string;
}

/**
 * The tracker around a frame, behind one interface: Connect or Forge, none when a page is opened on its own. Nothing
 * outside this folder knows which.
 */
export interface HostBridge {
  readonly kind: 'connect' | 'forge' | 'none';
  context(): Promise<HostContext>;
  /** Calls the tracker's REST API as the user, e.g. `/rest/api/2/myself`. */
  request(path: string, init?: HostRequest): Promise<HostResponse>;
  /** Calls the app's server; the path begins with a slash. */
  backend(path: string, init?: HostRequest): Promise<HostResponse>;
  /**
   * POST to the app's server with a streamed answer: `onText` gets its text in parts; resolves with the status at its
   * end. Missing if the host cannot stream.
   */
  stream?(path: string, init: HostRequest, onText: (text: string) => void): Promise<number>;
  /**
   * Signs in at the app's server with the tracker's token for user and context. A good answer is JSON with the app's
   * `token`.
   */
  signIn(): Promise<HostResponse>;
  /** As signed by the tracker, so that it is known while the app's server is down. */
  owner(): Promise<Owner>;
  /**
   * Opens a full-size dialog; resolves with its result, `undefined` when it was dismissed. Rejects if it cannot be
   * opened. `missing` is called when it has not loaded for long; it may still load.
   */
  openDialog(name: DialogName, data: Json, missing?: () => void): Promise<Json | undefined>;
  /** Closes the dialog that this frame is. */
  closeDialog(result?: Json): void;
  /** Shows a flag on the tracker's page that closes automatically. */
  flag(flag: HostFlag): void;
  /** Sends an event to the app's other frames on this page; frames that load later do not get it. */
  emit(event: string, data: Json): void;
  /** Listens to such events. Returns the unsubscribe function. */
  on(event: string, listener: (data: Json) => void): () => void;
  /** Listens to the tracker's events of changed issues; gives the issue's id. Missing if the tracker has none. */
  onIssueChanged?(listener: (issueId: string) => void): () => void;
  /** Capabilities of frames of single modules, loaded at first use. Missing if there are none. */
  modules?(): Promise<ModuleFrames>;
  /** Begin of the identifiers of the app's modules, if a panel shows on all issues only once it is pinned. */
  extension?(): Promise<string>;
  /**
   * Sets the frame's height in pixels, for its content and layers below it; its width is always the available width.
   */
  resize(height: number): void;
  /** Small values kept per browser and add-on, as far as the browser permits. */
  preferences: {
    get(key: string): Promise<string | undefined>;
    set(key: string, value: string): Promise<void>;
  };
  /** Navigates to a page of the tracker, given as a path such as `/browse/ABC-1`. */
  navigate(path: string): void;
  /** Navigates to the app's tab in a project's settings. */
  openSettings(projectKey: string): void;
  /** Navigates to the page of assigned items. */
  openAssigned(): void;
  /** Reloads the tracker's page. */
  reload(): void;
  /** The address of a page of the tracker, for links. */
  hostUrl(path: string): Promise<string>;
}
