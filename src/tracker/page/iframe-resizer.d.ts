/** The part that the page uses of the host's half of iframe-resizer, which comes without types. */
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
