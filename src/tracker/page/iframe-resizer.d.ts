/** The used part of the host's half of iframe-resizer, which has no types. */
declare module 'iframe-resizer/js/iframeResizer.js' {
  export interface ResizerOptions {
    /** Origins whose frames may ask. */
    checkOrigin: readonly string[];
    sizeWidth: boolean;
    /** `height` in pixels. */
    onResized(resized: { height: string | number }): void;
  }

  export default function iframeResizer(options: ResizerOptions, frame: HTMLIFrameElement): unknown;
}

interface HTMLIFrameElement {
  /** There once the frame is watched. */
  iFrameResizer?: { removeListeners(): void };
}
