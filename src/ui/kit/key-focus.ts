/**
 * Shows the focus that a script moves after a key, the kit's scripts included: WebKit hides it once the last focus came
 * from a click. For the page's whole life.
 */
export function showFocusAfterKeys(): void {
  /** Whether the user's last action was a key. */
  let byKey = false;
  const listen = (type: 'keydown' | 'pointerdown', isKey: boolean) =>
    window.addEventListener(
      type,
      () => {
        byKey = isKey;
      },
      true,
    );
  listen('keydown', true);
  listen('pointerdown', false);
  const { focus } = HTMLElement.prototype;
  HTMLElement.prototype.focus = function showAfterKey(options) {
    focus.call(this, byKey ? { focusVisible: true, ...options } : options);
  };
}
