/**
 * The used part of the tracker's global `AP` (its host script, loaded before the app). Data from it is `unknown`: it
 * comes from another window.
 */
export interface Ap {
  request(options: ApRequest): Promise<unknown>;
  context: { getContext(): Promise<unknown>; getToken(): Promise<unknown> };
  dialog: {
    create(options: ApDialog): unknown;
    close(payload: ApEnvelope): void;
    getCustomData(callback: (data: unknown) => void): void;
  };
  events: {
    on(name: string, listener: ApListener): void;
    off(name: string, listener: ApListener): void;
    emit(name: string, payload: string): void;
  };
  flag: { create(options: { title: string; body: string; type: string; close: 'auto' }): unknown };
  resize(width: string, height: string): void;
  cookie: { read(name: string, callback: (value: unknown) => void): void; save(name: string, value: string): void };
  navigator: {
    go(target: 'site', context: { relativeUrl: string }): void;
    go(target: 'addonModule', context: { addonKey: string; moduleKey: string }): void;
    go(target: 'projectAdminTabPanel', context: { projectKey: string; addonKey: string; moduleKey: string }): void;
    reload(): void;
  };
  jira: {
    WorkflowConfiguration: {
      onSaveValidation(listener: () => boolean): void;
      onSave(listener: () => string): void;
    };
    DashboardItem: {
      onDashboardItemEdit(listener: () => void): void;
      onDashboardItemRefreshed(listener: () => void): void;
    };
  };
  getLocation(callback: (href: unknown) => void): void;
  theming?: { initializeTheming(): void };
  /** Set only inside a frame that the tracker opened. */
  _data?: { extension_id?: string };
}

export type ApListener = (...payload: unknown[]) => void;

export interface ApRequest {
  url: string;
  type: string;
  headers?: Record<string, string>;
  contentType?: string;
  data?: string;
}

export interface ApDialog {
  key: string;
  /** `maximum` is the only size that comes without chrome and fills the window. */
  size: 'maximum';
  chrome: false;
  closeOnEscape: boolean;
  customData: ApEnvelope;
}

/** Data sent through `AP` that may hold null is JSON inside: the bridge drops null properties. */
export interface ApEnvelope {
  json: string;
}

declare global {
  interface Window {
    AP?: Partial<Ap>;
  }
}

/** A page opened on its own also has an `AP`, without a frame's id and without most of its parts. */
export const insideTracker = (ap: Partial<Ap> | undefined): ap is Ap => ap?._data?.extension_id !== undefined;
