import { expect } from 'vitest';
import { isVisible, pointAt } from './look.ts';
import type { BrowserWindow } from './window.ts';

/** Drags a row by its grip below another one; both are places, from 1. The grip is loaded once the pointer is in the list. */
export async function drag(window: BrowserWindow, row: number, below: number): Promise<void> {
  const rowOf = (place: number) => `li[data-key]:nth-of-type(${place})`;
  const handle = `${rowOf(row)} .check-handle`;
  let nudge = 0;
  await expect
    .poll(async () => {
      nudge = 1 - nudge;
      const { x, y } = await pointAt(window, 'panel', handle);
      await window.pointer([{ type: 'move', to: { x: x + nudge, y } }]);
      return isVisible(window, 'panel', `${rowOf(row)}[draggable="true"]`);
    })
    .toBe(true);
  const from = await pointAt(window, 'panel', handle);
  await window.pointer([
    { type: 'move', to: from },
    { type: 'down' },
    { type: 'pause', ms: 100 },
    { type: 'move', to: { x: from.x + 3, y: from.y + 6 } },
    { type: 'move', to: { x: from.x + 6, y: from.y + 12 } },
  ]);
  await expect.poll(() => isVisible(window, 'panel', '.check-dragged')).toBe(true);
  await expect
    .poll(async () => {
      nudge = 1 - nudge;
      const to = await pointAt(window, 'panel', rowOf(below), undefined, { x: 0.3, y: 0.8 });
      await window.pointer([{ type: 'move', to: { x: to.x + nudge, y: to.y } }]);
      return isVisible(window, 'panel', `${rowOf(below)} [style*="--stroke-color"]`);
    })
    .toBe(true);
  await window.pointer([{ type: 'up' }]);
}
