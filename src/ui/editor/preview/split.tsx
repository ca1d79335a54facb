import Button from '@atlaskit/button/new';
import { lazy, type ReactNode, Suspense } from 'react';
import { loadChunk } from '../../app/lazy.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Separator } from './separator.tsx';
import type { PreviewSource } from './source.ts';
import type { PreviewState } from './use-preview.ts';
import './preview.css';

const Pane = lazy(() => loadChunk('preview', () => import('./pane.tsx')));

/** Switches the preview; not there where it has no room. */
export const PreviewButton = ({ preview }: { preview: PreviewState }) =>
  preview.possible ? (
    // Not the kit's selected look: its blue on blue is too faint to read.
    <Button
      appearance={preview.open ? 'default' : 'subtle'}
      aria-pressed={preview.open}
      aria-keyshortcuts="Control+Alt+P Meta+Alt+P"
      onClick={preview.toggle}
    >
      Preview
    </Button>
  ) : null;

interface Props {
  preview: PreviewState;
  source: PreviewSource;
  editable: boolean;
  children: ReactNode;
}

/** The text, and beside it what it means. */
export function Split({ preview, source, editable, children }: Props) {
  const { open, possible, width } = preview;
  return (
    <div className="preview-split">
      {children}
      {open && possible ? (
        <>
          <Separator width={width} onWidth={preview.setWidth} onDone={preview.keep} />
          <div className="preview-pane" style={{ flexBasis: `${width}%` }}>
            <Suspense fallback={<Loading />}>
              <Pane source={source.store} editable={editable} />
            </Suspense>
          </div>
        </>
      ) : null}
    </div>
  );
}
