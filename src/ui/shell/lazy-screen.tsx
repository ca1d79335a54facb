import { type ComponentType, lazy } from 'react';
import { CHUNK_LOAD_TIMEOUT } from '../../domain/constants.ts';
import { shell } from '../../domain/messages.ts';

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
