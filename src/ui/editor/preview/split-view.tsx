import Button from '@atlaskit/button/new';
import type { EditorView } from '@codemirror/view';
import { type ReactNode, Suspense } from 'react';
import { keyShortcut } from '../../../editor/index.ts';
import { requiredComponent } from '../../kit/lazy/required-component.tsx';
import { Loading } from '../../kit/loading.tsx';
import { loadChunk } from '../../shell/lazy-screen.tsx';
import type { PreviewSource } from './preview-source.ts';
import { Separator } from './separator.tsx';
import type { PreviewState } from './use-preview.ts';
import './preview.css';

const Pane = requiredComponent('preview', () => loadChunk('preview', () => import('./preview.tsx')));

/** Switches the preview; not there where it has no room. */
export function PreviewButton({ preview: { open, command }, view }: { preview: PreviewState; view: EditorView }) {
  if (!command) return null;
  return (
    // Not the kit's selected look: its blue on blue is too faint to read.
    <Button
      appearance={open ? 'default' : 'subtle'}
      aria-pressed={open}
      aria-keyshortcuts={keyShortcut(command)}
      onClick={() => command.run(view)}
    >
      Preview
    </Button>
  );
}

interface Props {
  preview: PreviewState;
  source: PreviewSource;
  editable: boolean;
  children: ReactNode;
}

/** The text, and beside it what it means. */
export function Split({ preview, source, editable, children }: Props) {
  const { open, width } = preview;
  return (
    <div className="preview-split">
      {children}
      {open ? (
        <>
          <Separator width={width} onWidth={preview.setWidth} onDone={preview.keepWidth} />
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
