import { useEffect } from 'react';
import { type Surface, scrolls } from '../../domain/pages.ts';
import { anyLayer, onLayers } from '../kit/layers.ts';
import { useBridge } from './services/services.ts';

/** The content's height in pixels. Open layers may extend below the body's box, but not below the document's. */
function contentHeight({ body, documentElement }: Document): number {
  const height = body.getBoundingClientRect().height;
  return Math.ceil(anyLayer() ? Math.max(height, documentElement.scrollHeight) : height);
}

/**
 * Calls `resize` with the content's height now and on every change. Changes of the document are measured at once, not
 * in an animation frame: browsers run none for a hidden panel.
 */
export function followContent(document: Document, resize: (height: number) => void): () => void {
  let last: number | undefined;
  const measure = () => {
    const height = contentHeight(document);
    if (height !== last) resize(height);
    last = height;
  };
  const changes = new MutationObserver(measure);
  const observe = () => {
    // A layer moves by its style attribute; the resize observer covers the content's own boxes.
    changes.observe(document.body, { childList: true, characterData: true, subtree: true, attributes: anyLayer() });
    measure();
  };
  const boxes = new ResizeObserver(measure);
  boxes.observe(document.body);
  const stopLayers = onLayers(observe);
  // A layer may be limited by the frame's height and grow with it.
  window.addEventListener('resize', measure);
  observe();
  return () => {
    window.removeEventListener('resize', measure);
    stopLayers();
    changes.disconnect();
    boxes.disconnect();
  };
}

/** Sets the frame's layout for its surface: the body scrolls, or the frame grows with its content. */
export function useFrame(surface: Surface): void {
  const bridge = useBridge();
  useEffect(() => {
    const grows = !scrolls(surface);
    Object.assign(document.documentElement.dataset, { layout: grows ? 'grow' : 'scroll', surface });
    return grows ? followContent(document, height => bridge.resize(height)) : undefined;
  }, [bridge, surface]);
}
