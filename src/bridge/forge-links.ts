import { router } from './forge-vendor.ts';

/**
 * Opens links to other pages through the host: the frame's sandbox lets no link open a window (Forge, "Custom UI", iframe).
 * Covers clicks, also with a modifier or the middle button. Links keep their address for the context menu.
 */
export function openLinksThroughHost(): void {
  const open = (event: MouseEvent) => {
    if (event.defaultPrevented || !(event.target instanceof Element)) return;
    const link = event.target.closest<HTMLAnchorElement>('a[href][target="_blank"]');
    if (!link) return;
    event.preventDefault();
    router.open(link.href).catch(() => undefined);
  };
  document.addEventListener('click', open);
  document.addEventListener('auxclick', event => {
    if (event.button === 1) open(event);
  });
}
