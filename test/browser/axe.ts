import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Locator } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  nodes: { html: string }[];
}

/** The frame that an element stands in. */
export async function frameOf(element: Locator): Promise<Frame> {
  const handle = await element.elementHandle();
  const frame = await handle?.ownerFrame();
  if (!frame) throw new Error('This element stands in no frame.');
  return frame;
}

/** What axe finds wrong in an element and what it holds: rules with the markup that breaks them, but for rules left out. */
export async function axeFindings(element: Locator, ...leftOut: string[]): Promise<string[]> {
  const frame = await frameOf(element);
  // The page's policy forbids other scripts, but not those of the browser's own tools.
  if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(source);
  const handle = await element.elementHandle();
  const rules = Object.fromEntries(leftOut.map(rule => [rule, { enabled: false }]));
  const violations = await frame.evaluate(
    async ({ node, rules }) => {
      const { axe } = globalThis as unknown as {
        axe: { run(on: unknown, options: object): Promise<{ violations: Finding[] }> };
      };
      // What fades has other colours until it is there; what turns for ever does not end.
      const fading = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
      await Promise.allSettled(fading.map(({ finished }) => finished));
      for (;;) {
        let changed = false;
        const observer = new MutationObserver(() => {
          changed = true;
        });
        if (node) observer.observe(node, { childList: true, subtree: true });
        try {
          // It would fetch the host's style sheets, which the page's policy forbids too.
          return (await axe.run(node, { preload: false, rules })).violations;
        } catch (error) {
          // It fails where an element that it has looked at goes meanwhile: then the whole is looked at anew.
          if (!changed && observer.takeRecords().length === 0) throw error;
        } finally {
          observer.disconnect();
        }
      }
    },
    { node: handle, rules },
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
