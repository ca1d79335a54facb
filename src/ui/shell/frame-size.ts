import { useEffect } from 'react';
import { type Surface, scrolls } from '../../domain/pages.ts';
import { anyLayer, onLayers } from '../kit/layers.ts';
import { useBridge } from './services/services.ts';

/** The height that the content takes. Open layers may stand below the body's box; they are in the document's. */
function contentHeight({ body, documentElement }: Document): number {
  const height = body.getBoundingClientRect().height;
  return Math.ceil(anyLayer() ? Math.max(height, documentElement.scrollHeight) : height);
}

/**
 * Calls `resize` with the content's height now and whenever it changes. Changes of the document are measured at once
 * and not in the next frame: browsers draw no frames for a panel that is out of sight.
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
    // A layer moves by its style; the content's own boxes are the other observer's.
    changes.observe(document.body, { childList: true, characterData: true, subtree: true, attributes: anyLayer() });
    measure();
  };
  const boxes = new ResizeObserver(measure);
  boxes.observe(document.body);
  const stopLayers = onLayers(observe);
  // A layer may be as high as the frame lets it: with more room it grows on.
  window.addEventListener('resize', measure);
  observe();
  return () => {
    window.removeEventListener('resize', measure);
    stopLayers();
    changes.disconnect();
    boxes.disconnect();
  };
}

/** Lays the frame out for where it stands: its body scrolls there, or the frame grows with its content. */
export function useFrame(surface: Surface): void {
  const bridge = useBridge();
  useEffect(() => {
    const grows = !scrolls(surface);
    Object.assign(document.documentElement.dataset, { layout: grows ? 'grow' : 'scroll', surface });
    return grows ? followContent(document, height => bridge.resize(height)) : undefined;
  }, [bridge, surface]);
}
