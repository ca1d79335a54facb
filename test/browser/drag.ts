import type { FrameLocator, Locator } from 'playwright-core';
import { expect, vi } from 'vitest';
import { WAIT_TIMEOUT } from '../run/timeouts.ts';

interface Held {
  row: Locator;
  /** The element that is dragged. */
  handle: Locator;
  /** The row over which it is held, above or below its middle. */
  over: Locator;
}

async function boxOf(of: Locator) {
  const box = await of.boundingBox();
  if (!box) throw new Error(`${of} is not on the page.`);
  return { ...box, x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/**
 * Drags a row by its handle over another one until the drop line shows there; releasing the button is left to the test.
 * Follows elements that move meanwhile.
 */
export async function hold(frame: FrameLocator, { row, handle, over }: Held, edge: 'above' | 'below'): Promise<void> {
  const { mouse } = row.page();
  const dragged = row.and(frame.locator('.check-dragged, .sortable-dragged'));
  await vi.waitFor(async () => {
    await row.hover({ timeout: 5_000 });
    await row.and(frame.locator('[draggable=true]')).waitFor({ timeout: 5_000 });
    await handle.hover({ timeout: 5_000 });
    const { x, y } = await boxOf(handle);
    await mouse.down();
    await mouse.move(x + 4, y + 4, { steps: 3 });
    try {
      await dragged.waitFor({ timeout: 5_000 });
    } catch (error) {
      // The handle has just moved from under the pointer.
      await mouse.up();
      throw error;
    }
  }, WAIT_TIMEOUT);
  const line = over.locator('[style*="--stroke-color"]');
  let nudge = 0;
  // The user's browser fires drag events continuously, this one only when the pointer moves.
  await expect
    .poll(async () => {
      nudge = 1 - nudge;
      const { x, y, height } = await boxOf(over);
      await mouse.move(x + nudge, y + (edge === 'above' ? -height / 4 : height / 4), { steps: 4 });
      if (!(await line.isVisible())) return undefined;
      return (await boxOf(line)).y < y ? 'above' : 'below';
    })
    .toBe(edge);
}

/** The row of that name in a sortable list, to be held over another one. */
export function inSortable(frame: FrameLocator, name: string, over: string): Held {
  const handle = (of: string) => frame.getByRole('button', { name: `Move ${of}: arrow up or down`, exact: true });
  const row = (of: string) => frame.getByRole('listitem').filter({ has: handle(of) });
  return { row: row(name), handle: handle(name), over: row(over) };
}
