import type { DialogName, Surface } from '../domain/pages.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Milliseconds after which an opener is told that its dialog has not come. */
export const DIALOG_PATIENCE = 20_000;

/** Where the frame stands and what it is about. Ids are the tracker's. */
export interface HostContext {
  surface: Surface;
  issueKey?: string;
  issueId?: string;
  projectKey?: string;
  projectId?: string;
  /** What the opener handed to a dialog. */
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

/** An answer, whatever its status. A request that gets none rejects with `HostUnreachable`. */
export interface HostResponse {
  status: number;
  /** The reason phrase, where the transport has one. */
  statusText?: string;
  text: string;
  /** By name, as the transport gives them, if it does. */
  headers?: unknown;
}

/** Nobody answered: no host around the page, the network is down, or the host stays silent. */
export class HostUnreachable extends Error {
  override readonly name = 'HostUnreachable';
}

export interface HostFlag {
  title: string;
  body?: string;
  type?: 'success' | 'info' | 'warning' | 'error';
}

/** Whose browser this is for now: what it keeps for one account is no other's. */
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
  /** A call to the tracker's REST API as the user, e.g. `/rest/api/2/myself`. */
  request(path: string, init?: HostRequest): Promise<HostResponse>;
  /** A call to our own server; the path begins with a slash. */
  backend(path: string, init?: HostRequest): Promise<HostResponse>;
  /**
   * A POST to our own server whose answer goes on: `hear` gets its text piece by piece, and the status comes when it has
   * ended. Missing where the host's way to our server cannot do that.
   */
  stream?(path: string, init: HostRequest, hear: (text: string) => void): Promise<number>;
  /**
   * Asks our own server for a session, with the tracker's word for who looks at what. A good answer is JSON with our
   * `token`.
   */
  signIn(): Promise<HostResponse>;
  /** By the tracker's word, so that it is known while our server is away. */
  owner(): Promise<Owner>;
  /**
   * Opens one of our full-size dialogs; resolves with what it was closed with, `undefined` when it was dismissed. Rejects
   * where it cannot be opened. `missing` is told when it has not come for long; it may come still.
   */
  openDialog(name: DialogName, data: Json, missing?: () => void): Promise<Json | undefined>;
  /** Closes the dialog that this frame is. */
  closeDialog(result?: Json): void;
  /** A notification on the tracker's page that closes by itself. */
  flag(flag: HostFlag): void;
  /** Tells the add-on's other frames on this page; frames that load later do not hear it. */
  emit(event: string, data: Json): void;
  /** Hears them. Returns the unsubscribe function. */
  on(event: string, listener: (data: Json) => void): () => void;
  /** Told the id of an issue that the tracker says has changed, by whomever. Missing where it does not say so. */
  onIssueChanged?(listener: (issueId: string) => void): () => void;
  /** Sets the frame's height in pixels, for its content and the layers that hang below it; its width is always the whole room. */
  resize(height: number): void;
  /** Small values that outlive the page, per browser and add-on, as far as the browser lets us keep any. */
  preferences: {
    get(key: string): Promise<string | undefined>;
    set(key: string, value: string): Promise<void>;
  };
  /** Leaves for a page of the tracker, given as a path such as `/browse/ABC-1`. */
  navigate(path: string): void;
  /** Leaves for our tab in the settings of a project. */
  openSettings(projectKey: string): void;
  /** Reloads the tracker's page. */
  reload(): void;
  /** The address of a page of the tracker, for links. */
  hostUrl(path: string): Promise<string>;
}
