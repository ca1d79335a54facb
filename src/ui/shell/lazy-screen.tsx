import { Component, type ComponentType, lazy, type ReactNode } from 'react';
import { HostUnreachable } from '../../bridge/bridge.ts';
import { CHUNK_LOAD_TIMEOUT } from '../../domain/constants.ts';
import { failures, shell } from '../../domain/messages.ts';
import { ErrorView } from '../kit/error-view.tsx';

/** A part of the program that could not be fetched, or not in time. */
export class ChunkLoadFailed extends Error {
  override readonly name = 'ChunkLoadFailed';
}

/** Fetches a chunk; fails after two minutes at the latest. */
export async function loadChunk<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, CHUNK_LOAD_TIMEOUT);
  });
  try {
    return await Promise.race([load(), late]);
  } catch (cause) {
    throw new ChunkLoadFailed(shell.chunkFailed(name), { cause });
  } finally {
    clearTimeout(timer);
  }
}

export interface LazyScreen {
  Screen: ComponentType;
  /** Fetches the screen's chunk, once. */
  fetch(): Promise<unknown>;
}

/** A screen in a chunk of its own, named in the message when it cannot be fetched. */
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
  /** Loads the frame anew. A broken screen starts afresh; after a failed chunk there may be a newer build. */
  reload: () => void;
  /** Stands beside what is said. */
  beside?: ReactNode;
}

/** Says what happened when a screen breaks or cannot be fetched, and lets the user try again. */
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
