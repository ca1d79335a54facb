import { Component, type ReactNode } from 'react';
import { HostUnreachable } from '../../bridge/bridge.ts';
import { failures } from '../../domain/messages.ts';
import { ErrorView } from '../kit/error-view.tsx';
import { ChunkLoadFailed } from './lazy-screen.tsx';

interface Props {
  children: ReactNode;
  /** Loads the frame anew. A broken screen starts afresh; after a failed chunk there may be a newer build. */
  reload: () => void;
  /** Stands beside what is said. */
  beside?: ReactNode;
}

/** Says what happened when a screen breaks or cannot be fetched, and lets the user try again. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
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
