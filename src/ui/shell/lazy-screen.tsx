import { Component, type ComponentType, lazy, type ReactNode } from 'react';
import { HostUnreachable } from '../../bridge/bridge.ts';
import { CHUNK_LOAD_TIMEOUT_MS } from '../../domain/constants.ts';
import { failures, shell } from '../../domain/messages.ts';
import { withTimeout } from '../../domain/timing.ts';
import { ErrorView } from '../kit/content-state.tsx';

/** A chunk failed to load, or not within the timeout. */
export class ChunkLoadFailed extends Error {
  override readonly name = 'ChunkLoadFailed';
}

/** Loads a chunk; rejects after two minutes. */
export async function loadChunk<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await withTimeout(load(), CHUNK_LOAD_TIMEOUT_MS, () => new Error('Timed out'));
  } catch (cause) {
    throw new ChunkLoadFailed(shell.chunkFailed(name), { cause });
  }
}

export interface LazyScreen {
  Screen: ComponentType;
  /** Loads the screen's chunk, once. */
  fetch(): Promise<unknown>;
}

/** A screen in its own chunk; the error message uses its name. */
export function lazyScreen(name: string, load: () => Promise<{ default: ComponentType }>): LazyScreen {
  let chunk: ReturnType<typeof load> | undefined;
  const fetch = () => {
    chunk ??= loadChunk(name, load);
    return chunk;
  };
  return { Screen: lazy(fetch), fetch };
}

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Reloads the frame: a broken screen restarts, and a failed chunk may exist in a newer build. */
  reload: () => void;
  /** Rendered next to the error. */
  beside?: ReactNode;
}

/** Shows an error with a retry button when a screen throws or fails to load. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state = { error: undefined as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const isKnown = error instanceof ChunkLoadFailed || error instanceof HostUnreachable;
    const title = isKnown ? error.message : failures.unknown;
    return (
      <>
        {this.props.beside}
        <ErrorView title={title} onRetry={this.props.reload} />
      </>
    );
  }
}
