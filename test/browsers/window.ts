/** The engines whose browsers the flows run in. */
export type EngineName = 'chromium' | 'firefox' | 'webkit';

/** The tracker's page, or one of the app's frames on it. */
export type Where = 'page' | 'panel' | 'dialog' | 'screen';

/** The frames' elements on the tracker's page. */
export const frames: Record<Exclude<Where, 'page'>, string> = {
  panel: '[aria-label="Checklist"] iframe',
  dialog: '[role="dialog"] iframe',
  // A page of the app, such as the hierarchy.
  screen: 'main iframe',
};

export interface Point {
  x: number;
  y: number;
}

/** A step of the mouse, in pixels of the page's viewport. */
export type PointerStep =
  | { type: 'move'; to: Point }
  | { type: 'down' }
  | { type: 'up' }
  | { type: 'pause'; ms: number };

/** A browser's window as a user has it: with real keys and a real mouse, and scripts only to look. */
export interface BrowserWindow {
  readonly engine: EngineName;
  /** Sets a cookie for the origin of the open page. */
  setCookie(name: string, value: string): Promise<void>;
  open(address: string): Promise<void>;
  reload(): Promise<void>;
  /** Runs a script, the body of a function with `args`. Rejects if the frame is not there. */
  run(where: Where, script: string, ...args: unknown[]): Promise<unknown>;
  /** Presses keys one after the other: characters, or names such as `Enter` and `Control+Shift+P`. */
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  pointer(steps: readonly PointerStep[]): Promise<void>;
  /** Zooms the page by about half, or back. */
  zoom(to: 'in' | 'reset'): Promise<void>;
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

export interface WindowOptions {
  /** `refused`: the app's frames can store nothing. */
  storage?: 'refused' | undefined;
  /** `forced`: the page has the system's colours, as in a contrast theme; not in WebKit, which has none. */
  colors?: 'forced' | undefined;
}

/** A browser that is installed. */
export interface Engine {
  openWindow(options?: WindowOptions): Promise<BrowserWindow>;
  close(): Promise<void>;
}
