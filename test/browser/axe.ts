import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Locator } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  nodes: { html: string }[];
}

/** The frame that contains an element. */
export async function frameOf(element: Locator): Promise<Frame> {
  const handle = await element.elementHandle();
  const frame = await handle?.ownerFrame();
  if (!frame) throw new Error('This element stands in no frame.');
  return frame;
}

/**
 * Violations that axe finds in an element and its descendants, without the rules left out: the rule with the markup.
 */
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
      // Fading elements have other colours until the animation ends; infinite animations do not end.
      const fading = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
      await Promise.allSettled(fading.map(({ finished }) => finished));
      for (;;) {
        let changed = false;
        const observer = new MutationObserver(() => {
          changed = true;
        });
        if (node) observer.observe(node, { childList: true, subtree: true });
        try {
          // Preloading would fetch the host's style sheets, which the page's policy forbids too.
          return (await axe.run(node, { preload: false, rules })).violations;
        } catch (error) {
          // axe fails if an element disappears during the analysis: then the analysis is repeated.
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
