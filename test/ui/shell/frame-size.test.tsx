import { render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { HostBridge } from '../../../src/bridge/bridge.ts';
import { noBridge } from '../../../src/bridge/none.ts';
import { surfaces } from '../../../src/domain/pages.ts';
import { useFrame } from '../../../src/ui/app.tsx';
import { addLayer } from '../../../src/ui/kit/use-layer.ts';
import { ServicesProvider } from '../../../src/ui/shell/services/services.ts';
import { servicesWith } from '../fakes.ts';

const sizes = { body: 100, document: 100 };
vi.spyOn(document.body, 'getBoundingClientRect').mockImplementation(() => new DOMRect(0, 0, 300, sizes.body));
vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockImplementation(() => sizes.document);
afterEach(() => Object.assign(sizes, { body: 100, document: 100 }));

function Frame({ surface }: { surface: (typeof surfaces)[number] }) {
  useFrame(surface);
  return null;
}

function show(surface: (typeof surfaces)[number]) {
  const heights: number[] = [];
  const bridge: HostBridge = { ...noBridge(''), resize: height => heights.push(height) };
  render(
    <ServicesProvider value={servicesWith({ bridge })}>
      <Frame surface={surface} />
    </ServicesProvider>,
  );
  return heights;
}

/** Runs the document's observers. */
const settled = () => new Promise(resolve => setTimeout(resolve));

test('a panel is as high as its content, after each change of it', async () => {
  const heights = show('issue-context');
  expect(heights).toEqual([100]);
  sizes.body = 240.4;
  document.body.append('more');
  await settled();
  document.body.append('as high as before');
  await settled();
  expect(heights).toEqual([100, 241]);
});

test('an open layer below the content grows the frame, and shrinks it when it closes', async () => {
  const heights = show('issue-content');
  sizes.document = 335;
  const close = addLayer({ close: () => undefined, stays: false });
  expect(heights).toEqual([100, 335]);
  close();
  expect(heights).toEqual([100, 335, 100]);
});

test('a layer that grows with the frame grows it until the layer fits', () => {
  const heights = show('issue-context');
  sizes.document = 300;
  const close = addLayer({ close: () => undefined, stays: false });
  sizes.document = 420;
  window.dispatchEvent(new Event('resize'));
  expect(heights).toEqual([100, 300, 420]);
  close();
});

test('in dialogs, pages and the administration the body scrolls and the frame keeps its size', async () => {
  for (const surface of surfaces) {
    const heights = show(surface);
    const scrolling = ['dialog', 'page', 'project-admin', 'admin'].includes(surface);
    expect([surface, document.documentElement.dataset.layout]).toEqual([surface, scrolling ? 'scroll' : 'grow']);
    expect(heights).toHaveLength(scrolling ? 0 : 1);
  }
});
